import { createAgent, type Agent } from "./agent";
import {
  checkApiKey,
  checkCommonOptions,
  checkUrlHashing,
} from "./check-start-options";
import { addressesOf } from "./endpoints";
import { hashUrl } from "./hash-url";
import { resultCache } from "./result-cache";
import type { StartOptions } from "./start-options";
import { VisitorStorage } from "./visitor-storage";

/**
 * Makes an agent, at once. Throws FingerprintError for options that are wrong
 * (docs/contract.md, "start()").
 *
 * @example
 * const agent = start({
 *   apiKey: "local-public-us",
 *   endpoints: withoutDefault("http://127.0.0.1:8787/us"),
 * });
 * const { visitor_id } = await agent.get({ linkedId: "user-1" });
 */
export function start(options: StartOptions): Agent {
  const apiKey = checkApiKey((options as StartOptions | undefined)?.apiKey);
  const { urlHashing, cache, storageKeyPrefix = "_vid_" } = options;
  checkCommonOptions(options);
  checkUrlHashing(urlHashing);
  const addresses = addressesOf(apiKey, options);
  return createAgent({
    addresses,
    storage: new VisitorStorage(storageKeyPrefix),
    integrations: options.integrationInfo ?? [],
    ...(cache !== undefined &&
      cache !== false && {
        cache: resultCache(
          cache,
          `${cache?.cachePrefix ?? storageKeyPrefix}cache ${addresses.join(" ")}`,
        ),
      }),
    ...(urlHashing && {
      hashUrl: (url: string) => hashUrl(url, urlHashing),
    }),
  });
}
