import { REGIONS } from "./regions";
import { FingerprintError } from "./fingerprint-error";
import type { CommonStartOptions, UrlHashing } from "./start-options";

/**
 * The public API key as it was given. Throws FingerprintError
 * `api_key_missing`, or `api_key_invalid` for what is no text.
 */
export function checkApiKey(apiKey: unknown): string {
  if (apiKey === undefined || apiKey === null || apiKey === "")
    throw new FingerprintError(
      "api_key_missing",
      "start() needs apiKey, a public API key of the workspace.",
    );
  if (typeof apiKey === "string") return apiKey;
  throw new FingerprintError("api_key_invalid", "apiKey has to be a text.");
}

/** Throws FingerprintError `options_misconfigured` for an option of another type or value. */
export function checkCommonOptions(options: CommonStartOptions): void {
  const { region, storageKeyPrefix, integrationInfo } = options;
  const { remoteControlDetection } = options;
  check(
    region === undefined || REGIONS.includes(region),
    `region has to be one of ${REGIONS.join(", ")}`,
  );
  check(
    storageKeyPrefix === undefined || typeof storageKeyPrefix === "string",
    "storageKeyPrefix has to be a text",
  );
  check(
    integrationInfo === undefined ||
      (Array.isArray(integrationInfo) &&
        integrationInfo.every((item) => typeof item === "string")),
    "integrationInfo has to be an array of texts",
  );
  check(
    isFlag(remoteControlDetection),
    "remoteControlDetection has to be true or false",
  );
}

/** Throws FingerprintError `options_misconfigured` unless the parts are true, false or left out. */
export function checkUrlHashing(urlHashing: unknown): void {
  if (urlHashing === undefined) return;
  const isObject = typeof urlHashing === "object" && urlHashing !== null;
  const { path, query, fragment } = (isObject ? urlHashing : {}) as UrlHashing;
  // Anything truthy would do; but a wrong type may also have meant no.
  check(
    isObject && [path, query, fragment].every(isFlag),
    "urlHashing has to be an object whose path, query and fragment are true or false",
  );
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new FingerprintError("options_misconfigured", `${rule}.`);
}
