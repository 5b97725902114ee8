import { createAgent, type Agent } from "./agent";
import { checkApiKey, checkCommonOptions } from "./check-start-options";
import { addressesOf } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import { readScriptAddress } from "./script-address";
import type { ScriptStartOptions } from "./start-options";
import { VisitorStorage } from "./visitor-storage";

const PACKAGE_ONLY: readonly string[] = ["urlHashing", "cache"];

/**
 * `start()` of the script at an address: its key and, as the default endpoint,
 * its server come from there. Throws FingerprintError for options that are
 * wrong, `package_only_option` for those that only the package has
 * (docs/contract.md, "start()").
 */
export function startFromScript(
  scriptAddress: string,
  options: ScriptStartOptions,
): Agent {
  const script = readScriptAddress(scriptAddress);
  for (const [name, value] of Object.entries(options))
    if (PACKAGE_ONLY.includes(name) && value !== undefined)
      throw new FingerprintError(
        "package_only_option",
        `${name} is an option of the package @devid/agent only; the script that the service serves does not have it.`,
      );
  checkCommonOptions(options);
  const apiKey = checkApiKey(options.apiKey ?? script.apiKey);
  return createAgent({
    addresses: addressesOf(apiKey, options, script.endpoint),
    storage: new VisitorStorage(options.storageKeyPrefix ?? "_vid_"),
    integrations: options.integrationInfo ?? [],
  });
}
