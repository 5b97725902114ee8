import { createAgent, type Agent } from "./agent";
import { addressesOf, readScriptAddress } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import { hashUrl } from "./hashing";
import {
  checkApiKey,
  checkCache,
  startOptions,
  type StartOptions,
} from "./options";
import { resultCache } from "./result-cache";
import { VisitorStorage } from "./visitor-storage";

const STORAGE_KEY_PREFIX = "_vid_";

/**
 * `start()` of the script at an address: makes an agent, synchronously. The address
 * contains the API key and the default endpoint, which is the service that the script
 * was loaded from. Throws FingerprintError for wrong options (docs/contract.md,
 * "start()"), `package_only_option` for an option that only the vendor's npm package
 * has, and `no_page` on a server or in a worker. If that package imported the script,
 * the script accepts these options, and throws published codes only.
 *
 * @example
 * import { start } from "http://127.0.0.1:8787/us/web/v4/local-public-us";
 * const { visitor_id } = await start().get({ linkedId: "user-1" });
 */
export function startFromScript(
  scriptAddress: string,
  options: StartOptions,
): Agent {
  const { loaderVersion, ...script } = readScriptAddress(scriptAddress);
  const isLoaded = loaderVersion !== undefined;
  // A framework may render the same code on a server, where nothing of a page exists.
  if (typeof document === "undefined")
    throw new FingerprintError(
      isLoaded ? "script_load_fail" : "no_page",
      "start() runs in the page of a browser only, and here is none: call it in code that a server and a worker leave out.",
    );
  const taken = startOptions(options, isLoaded);
  const { urlHashing, storageKeyPrefix = STORAGE_KEY_PREFIX } = taken;
  const apiKey = checkApiKey(taken.apiKey ?? script.apiKey);
  const addresses = addressesOf(apiKey, taken.endpoints, {
    ownEndpoint: script.endpoint,
    ...(isLoaded && { page: location.href }),
  });
  const cache = checkCache(taken.cache);
  const cachePrefix = cache?.cachePrefix ?? storageKeyPrefix;
  return createAgent({
    addresses,
    loaderVersion,
    storage: new VisitorStorage(storageKeyPrefix),
    integrations: taken.integrationInfo ?? [],
    cache:
      cache && resultCache(cache, `${cachePrefix}cache ${addresses.join(" ")}`),
    hashUrl: urlHashing && ((url) => hashUrl(url, urlHashing)),
  });
}
