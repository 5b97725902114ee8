import { createAgent, type Agent } from "./agent";
import { addressesOf, readScriptAddress } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import { hashUrl } from "./hashing";
import { resultCache } from "./result-cache";
import {
  checkApiKey,
  checkPackageOptions,
  checkScriptOptions,
  type ScriptStartOptions,
  type StartOptions,
} from "./start-options";
import { VisitorStorage } from "./visitor-storage";

const STORAGE_KEY_PREFIX = "_vid_";

/**
 * Makes an agent, at once. Throws FingerprintError for options that are wrong
 * (docs/contract.md, "start()"), and `no_page` on a server or in a worker.
 *
 * @example
 * const agent = start({
 *   apiKey: "local-public-us",
 *   endpoints: "http://127.0.0.1:8787/us",
 * });
 * const { visitor_id } = await agent.get({ linkedId: "user-1" });
 */
export function start(options: StartOptions): Agent {
  checkPage();
  const apiKey = checkApiKey((options as StartOptions | undefined)?.apiKey);
  const cache = checkPackageOptions(options);
  const { urlHashing, storageKeyPrefix = STORAGE_KEY_PREFIX } = options;
  const addresses = addressesOf(apiKey, options.endpoints);
  return createAgent({
    addresses,
    storage: new VisitorStorage(storageKeyPrefix),
    integrations: options.integrationInfo ?? [],
    cache:
      cache &&
      resultCache(
        cache,
        `${cache.cachePrefix ?? storageKeyPrefix}cache ${addresses.join(" ")}`,
      ),
    hashUrl: urlHashing && ((url) => hashUrl(url, urlHashing)),
  });
}

/**
 * `start()` of the script at an address. Its key is in that address, and so is
 * the service that it came from, the default endpoint. Throws FingerprintError
 * as the package's `start()` does, `package_only_option` for an option that only
 * the package has.
 */
export function startFromScript(
  scriptAddress: string,
  options: ScriptStartOptions,
): Agent {
  checkPage();
  checkScriptOptions(options);
  const script = readScriptAddress(scriptAddress);
  const apiKey = checkApiKey(options.apiKey ?? script.apiKey);
  return createAgent({
    addresses: addressesOf(apiKey, options.endpoints, script.endpoint),
    storage: new VisitorStorage(options.storageKeyPrefix ?? STORAGE_KEY_PREFIX),
    integrations: options.integrationInfo ?? [],
  });
}

/** A framework may render the same code on a server, where nothing of a page exists. */
function checkPage(): void {
  if (typeof document === "undefined")
    throw new FingerprintError(
      "no_page",
      "start() runs in the page of a browser only, and here is none: call it in code that a server and a worker leave out.",
    );
}
