import type { WithoutDefault } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import type { UrlHashing } from "./hashing";
import type { IdentificationBody } from "./wire";

/** Regions of the service (docs/contract.md, "Regions"). */
export const REGIONS = ["us", "eu", "ap"] as const;

/** Longest time that an answer is used again: 12 hours (docs/contract.md, "start()"). */
const CACHE_MAX_SECONDS = 43_200;

const CACHE_STORAGES = ["agent", "sessionStorage", "localStorage"] as const;

const LINKED_ID_MAX_LENGTH = 256;
const TAG_MAX_BYTES = 16 * 1024;

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
  readonly region?: (typeof REGIONS)[number];
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

/** A value that `tag` takes as well as an object. */
export type SimpleTag = string | number | boolean;

/** Options of `get()` and `collect()` (docs/contract.md, "get()"). */
export interface GetOptions {
  /** At most 256 characters. */
  readonly linkedId?: string;
  /**
   * At most 16 KB of JSON; no array. A simple value becomes `{tag: value}`;
   * null counts as left out.
   */
  readonly tag?: SimpleTag | Readonly<Record<string, unknown>> | null;
  /** Replaces `tag` if both are given. */
  readonly tags?: GetOptions["tag"];
  /**
   * Milliseconds; default 10000. Time in the background does not count. Slow devices
   * may fail with less than 2000.
   */
  readonly timeout?: number;
}

/** The options of a function: for each, what a value has to be, in code and in words. */
type Table = Readonly<
  Record<string, readonly [holds: (value: unknown) => boolean, words: string]>
>;

const isString = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const oneOf = (values: readonly unknown[]) => (value: unknown) =>
  values.includes(value);
/** For an option that another function checks. */
const any = [() => true, ""] as const;

const START: Table = {
  apiKey: any,
  region: [oneOf(REGIONS), `one of ${REGIONS.join(", ")}`],
  endpoints: any,
  storageKeyPrefix: [isString, "a string"],
  integrationInfo: [
    (value) => Array.isArray(value) && value.every(isString),
    "an array of strings",
  ],
  remoteControlDetection: [isFlag, "true or false"],
};

/** Options that only the vendor's npm package has (docs/contract.md, "start()"). */
const PACKAGE_ONLY: Table = {
  // A text such as "no" is truthy, so it would have the opposite of the intended effect.
  urlHashing: [
    (value) => isObject(value) && mistakes("", value, HASHING).length === 0,
    "an object with path, query and fragment, each true or false",
  ],
  cache: any,
};

const HASHING: Table = {
  path: [isFlag, "true or false"],
  query: [isFlag, "true or false"],
  fragment: [isFlag, "true or false"],
};

const CACHE: Table = {
  storage: [oneOf(CACHE_STORAGES), "sessionStorage, localStorage or agent"],
  duration: [
    (value) => {
      const seconds = secondsOf(value);
      return seconds > 0 && seconds <= CACHE_MAX_SECONDS;
    },
    `optimize-cost, aggressive, or seconds above 0 and at most ${CACHE_MAX_SECONDS}`,
  ],
  cachePrefix: [isString, "a string"],
};

const GET: Table = {
  linkedId: any,
  tag: any,
  tags: any,
  timeout: [
    (value) => typeof value === "number" && value > 0 && value < 2 ** 31,
    "a number of milliseconds above 0 and below 2^31",
  ],
};

/**
 * Options that the vendor's npm loader adds when it imports the script
 * (docs/contract.md, "Agent addresses"). The local service ignores them.
 */
const FROM_LOADER = ["ldi", "externalABSelections"];

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The options that are unknown or have a wrong value, each with what is wrong with it.
 * Without this check, a misspelled option would have no effect and no message. An option
 * that is undefined counts as left out.
 */
function mistakes(subject: string, options: object, table: Table) {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || FROM_LOADER.includes(name)) return [];
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!row) {
      const known = Object.keys(table).join(", ");
      const problem = `${subject} has no option ${JSON.stringify(name)}; it has ${known}.`;
      return [{ name, problem }];
    }
    const [holds, words] = row;
    return holds(value)
      ? []
      : [{ name, problem: `${name} has to be ${words}.` }];
  });
}

/** Throws FingerprintError for the first mistake, and for options that are no object. */
function check(
  subject: string,
  options: unknown,
  table: Table,
  code = "options_misconfigured",
): void {
  if (!isObject(options))
    throw new FingerprintError(
      code,
      `${subject} takes an object, with ${Object.keys(table).join(", ")}.`,
    );
  const [first] = mistakes(subject, options, table);
  if (first) throw new FingerprintError(code, first.problem);
}

/**
 * The options that a page of the vendor's loader gives, without the mistaken ones. The page
 * was written for the vendor's agent, so each of these is left out with a warning. Null
 * counts as no options.
 */
function withoutMistakes<Options extends object>(
  subject: string,
  options: Options | null,
  table: Table,
): Options {
  const kept: Record<string, unknown> = { ...options };
  for (const { name, problem } of mistakes(subject, kept, table)) {
    console.warn(`The option ${name} is left out: ${problem}`);
    delete kept[name];
  }
  return kept as Options;
}

/**
 * The options of `start()`. Throws FingerprintError `options_misconfigured` for an option
 * that is unknown or has a wrong value, and `package_only_option` for one that only the
 * vendor's npm package has.
 */
export function startOptions(
  options: StartOptions,
  isLoaded: boolean,
): StartOptions {
  const all = { ...START, ...PACKAGE_ONLY };
  if (isLoaded) return withoutMistakes("start()", options, all);
  const { urlHashing, cache, ...own } = { ...options };
  for (const [name, value] of Object.entries({ urlHashing, cache }))
    if (value !== undefined)
      throw new FingerprintError(
        "package_only_option",
        `${name} is an option of the vendor's npm package only; a page that imports the script itself does not have it.`,
      );
  check("start()", isObject(options) ? own : options, START);
  return own;
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

/** The checked options of a cache. */
export interface CheckedCacheOptions {
  readonly storage: (typeof CACHE_STORAGES)[number];
  readonly durationMs: number;
  readonly cachePrefix?: string;
}

/** Checks the option `cache`. Throws FingerprintError `cache_misconfigured`. */
export function checkCache(cache: unknown): CheckedCacheOptions | undefined {
  if (cache === undefined || cache === false) return undefined;
  // A cache without a duration is refused by its check.
  const given = isObject(cache) ? { duration: null, ...cache } : cache;
  check("cache", given, CACHE, "cache_misconfigured");
  const { storage = "agent", duration, cachePrefix } = cache as CacheOptions;
  return { storage, durationMs: secondsOf(duration) * 1_000, cachePrefix };
}

function secondsOf(duration: unknown): number {
  if (duration === "optimize-cost") return 3_600;
  if (duration === "aggressive") return CACHE_MAX_SECONDS;
  return typeof duration === "number" ? duration : NaN;
}

/** The options of a call, checked and in the form in which they are sent. */
export interface CheckedGetOptions extends Pick<
  IdentificationBody,
  "linked_id" | "tag"
> {
  readonly timeoutMs: number;
}

/**
 * Checks the options of `get()` and `collect()`. Throws FingerprintError:
 * `request_cannot_be_parsed` for `linkedId` and `tag`, the code that the service would
 * answer (docs/assumptions.md, A79), and unless the vendor's loader has loaded the agent,
 * `options_misconfigured` for `timeout` and for an unknown option.
 */
export function checkGetOptions(
  call: "get()" | "collect()",
  options: GetOptions,
  isLoaded = false,
): CheckedGetOptions {
  if (!isLoaded) check(call, options, GET);
  const kept = isLoaded ? withoutMistakes(call, options, GET) : options;
  const { linkedId, tag, timeout = 10_000 } = kept;
  const tags = kept.tags ?? tag ?? undefined;
  return {
    timeoutMs: timeout,
    ...(linkedId !== undefined && { linked_id: checkLinkedId(linkedId) }),
    ...(tags !== undefined && { tag: checkTag(tags) }),
  };
}

function checkLinkedId(linkedId: unknown): string {
  if (typeof linkedId !== "string")
    throw refused("linkedId has to be a string.");
  // The published message (docs/contract.md, "Events errors").
  if (linkedId.length > LINKED_ID_MAX_LENGTH)
    throw refused(
      `linked_id can't be greater than ${LINKED_ID_MAX_LENGTH} characters long`,
    );
  return linkedId;
}

function checkTag(tag: unknown): Record<string, unknown> {
  const isSimple = isString(tag) || isFlag(tag) || Number.isFinite(tag);
  const json = jsonOf(isSimple ? { tag } : tag);
  // A function has no JSON, and the JSON of an array or a date is no object.
  if (!json?.startsWith("{"))
    throw refused(
      "tag has to be a string, a number, a boolean or an object that JSON can hold.",
    );
  // In JSON without spaces, only a member's name has a colon directly behind its quote.
  // The service refuses this member, too.
  if (json.includes('"__proto__":'))
    throw refused("tag has to be without a member named __proto__.");
  if (new TextEncoder().encode(json).length > TAG_MAX_BYTES)
    throw refused(`tag has to be at most ${TAG_MAX_BYTES} bytes of JSON.`);
  return JSON.parse(json) as Record<string, unknown>;
}

/** Undefined for a value without JSON, such as an object that contains itself. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function refused(message: string): FingerprintError {
  return new FingerprintError("request_cannot_be_parsed", message);
}
