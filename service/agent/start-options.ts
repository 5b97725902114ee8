import type { WithoutDefault } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import type { UrlHashing } from "./hashing";
import { checkOptionNames, keepValidOptions } from "./option-names";

/** Regions of the service (docs/contract.md, "Regions"). */
export const REGIONS = ["us", "eu", "ap"] as const;

/** One region. */
export type Region = (typeof REGIONS)[number];

/** Longest time that an answer is used again: 12 hours (docs/contract.md, "start()"). */
const CACHE_MAX_SECONDS = 43_200;

const CACHE_STORAGES = ["agent", "sessionStorage", "localStorage"] as const;

/** Options that every page may give. */
const COMMON = [
  "apiKey",
  "region",
  "endpoints",
  "storageKeyPrefix",
  "integrationInfo",
  "remoteControlDetection",
];

/** Options that only the vendor's npm package has (docs/contract.md, "start()"). */
const PACKAGE_ONLY = ["urlHashing", "cache"];

/**
 * Options that the vendor's npm loader adds when it imports the script
 * (docs/contract.md, "Agent addresses"). The local service ignores them.
 */
const FROM_LOADER = ["ldi", "externalABSelections"];

/** Where a result is kept, and how long it is used again (docs/contract.md, "start()"). */
export interface CacheOptions {
  /** `agent`, the default, keeps the result in memory as long as the agent exists. */
  readonly storage?: (typeof CACHE_STORAGES)[number];
  /** `optimize-cost` is 1 hour, `aggressive` 12 hours; or seconds, above 0 and at most 43200. */
  readonly duration: "optimize-cost" | "aggressive" | number;
  /** Replaces `storageKeyPrefix` in the name of the entry in the two browser stores. */
  readonly cachePrefix?: string;
}

/**
 * Options of `start()` (docs/contract.md, "start()"). `urlHashing` and `cache` are
 * accepted from the vendor's loader only, and refused from a page that imports the
 * script itself.
 */
export interface StartOptions {
  /** A public API key of the workspace. Default: the key in the script's address. */
  readonly apiKey?: string;
  /**
   * Has no effect, because an endpoint names its region. Accepted because the vendor's
   * agent has this option.
   */
  readonly region?: Region;
  /**
   * Addresses of the service, tried in order. The script adds the service that it was
   * loaded from as the last one (see `withoutDefault`). An empty array throws.
   */
  readonly endpoints?: string | readonly string[] | WithoutDefault;
  /**
   * The beginning of the names of cookies and local storage entries; default `_vid_`.
   * After a change in production, the stored data of visitors is lost, and visitors are
   * recognised less accurately.
   */
  readonly storageKeyPrefix?: string;
  /** The frameworks that the agent is used from, as `name/version`. */
  readonly integrationInfo?: readonly string[];
  /** Has no effect. Accepted because the vendor's agent has this option. */
  readonly remoteControlDetection?: boolean;
  readonly urlHashing?: UrlHashing;
  /** Without a cache, each `get()` makes an event. */
  readonly cache?: false | CacheOptions;
}

/** The checked options of a cache. */
export interface CheckedCacheOptions {
  readonly storage: (typeof CACHE_STORAGES)[number];
  readonly durationMs: number;
  readonly cachePrefix?: string;
}

/**
 * The public API key, as it was given. Throws FingerprintError
 * `api_key_missing`, or `api_key_invalid` for a value that is no string.
 */
export function checkApiKey(apiKey: unknown): string {
  if (apiKey === undefined || apiKey === null || apiKey === "")
    throw new FingerprintError(
      "api_key_missing",
      "start() needs apiKey, a public API key of the workspace.",
    );
  if (typeof apiKey === "string") return apiKey;
  throw new FingerprintError("api_key_invalid", "apiKey has to be a string.");
}

/**
 * Checks the options of a page that imports the script itself. Throws FingerprintError
 * `options_misconfigured` for an option that is unknown or has a wrong type or value,
 * `package_only_option` for an option that only the vendor's npm package has.
 */
export function checkScriptOptions(options: StartOptions): void {
  const unlisted = [...PACKAGE_ONLY, ...FROM_LOADER];
  checkOptionNames("start()", options, COMMON, { unlisted });
  for (const [name, value] of Object.entries(options))
    if (PACKAGE_ONLY.includes(name) && value !== undefined)
      throw new FingerprintError(
        "package_only_option",
        `${name} is an option of the vendor's npm package only; a page that imports the script itself does not have it.`,
      );
  checkCommonOptions(options);
}

/**
 * The options that the vendor's loader passes on from its page. The page was written
 * for the vendor's agent, so an option that this agent does not know, or that has a
 * wrong type or value, is left out with a warning.
 */
export function readLoaderOptions(options: StartOptions): StartOptions {
  const names = [...COMMON, ...PACKAGE_ONLY];
  return keepValidOptions(options, (option) => {
    checkOptionNames("start()", option, names, { unlisted: FROM_LOADER });
    checkCommonOptions(option);
    checkUrlHashing(option.urlHashing);
  });
}

function checkCommonOptions({
  region,
  storageKeyPrefix,
  integrationInfo,
  remoteControlDetection,
}: StartOptions): void {
  check(
    region === undefined || REGIONS.includes(region),
    `region has to be one of ${REGIONS.join(", ")}`,
  );
  check(
    storageKeyPrefix === undefined || typeof storageKeyPrefix === "string",
    "storageKeyPrefix has to be a string",
  );
  check(
    integrationInfo === undefined ||
      (Array.isArray(integrationInfo) &&
        integrationInfo.every((item) => typeof item === "string")),
    "integrationInfo has to be an array of strings",
  );
  check(
    isFlag(remoteControlDetection),
    "remoteControlDetection has to be true or false",
  );
}

function checkUrlHashing(urlHashing: unknown): void {
  if (urlHashing === undefined) return;
  checkOptionNames("urlHashing", urlHashing, ["path", "query", "fragment"]);
  const { path, query, fragment } = urlHashing as UrlHashing;
  // A text such as "no" is truthy, so it would have the opposite of the intended
  // effect.
  check(
    [path, query, fragment].every(isFlag),
    "path, query and fragment of urlHashing have to be true or false",
  );
}

/** Checks the option `cache`. Throws FingerprintError `cache_misconfigured`. */
export function checkCache(cache: unknown): CheckedCacheOptions | undefined {
  if (cache === undefined || cache === false) return undefined;
  const names = ["storage", "duration", "cachePrefix"];
  checkOptionNames("cache", cache, names, { code: "cache_misconfigured" });
  const { storage = "agent", duration, cachePrefix } = cache as CacheOptions;
  const seconds = secondsOf(duration);
  if (!CACHE_STORAGES.includes(storage))
    throw misconfigured(
      "cache.storage has to be sessionStorage, localStorage or agent",
    );
  if (!(seconds > 0 && seconds <= CACHE_MAX_SECONDS))
    throw misconfigured(
      `cache.duration has to be optimize-cost, aggressive, or seconds above 0 and at most ${CACHE_MAX_SECONDS}`,
    );
  if (cachePrefix !== undefined && typeof cachePrefix !== "string")
    throw misconfigured("cache.cachePrefix has to be a string");
  return { storage, durationMs: seconds * 1_000, cachePrefix };
}

function secondsOf(duration: CacheOptions["duration"] | undefined): number {
  switch (duration) {
    case "optimize-cost":
      return 3_600;
    case "aggressive":
      return CACHE_MAX_SECONDS;
    default:
      return typeof duration === "number" ? duration : NaN;
  }
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new FingerprintError("options_misconfigured", `${rule}.`);
}

function misconfigured(rule: string): FingerprintError {
  return new FingerprintError("cache_misconfigured", `${rule}.`);
}
