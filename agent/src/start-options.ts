import type { Region } from "./regions";
import type { WithoutDefault } from "./without-default";

/** Which parts of addresses leave the page as hashes (docs/contract.md, "start()"). */
export interface UrlHashing {
  readonly path?: boolean;
  readonly query?: boolean;
  readonly fragment?: boolean;
}

/** How long, and where, a result is used again (docs/contract.md, "start()"). */
export interface CacheOptions {
  /** `agent`, the default, is memory that ends with the agent. */
  readonly storage?: "sessionStorage" | "localStorage" | "agent";
  /** `optimize-cost` is 1 hour, `aggressive` 12 hours; or seconds, above 0 and at most 43200. */
  readonly duration: "optimize-cost" | "aggressive" | number;
  /** Stands before the key in the two browser stores, in place of `storageKeyPrefix`. */
  readonly cachePrefix?: string;
}

/** Options that both forms of the agent take (docs/contract.md, "start()"). */
export interface CommonStartOptions {
  /** The workspace's, `us` by default: it decides the default endpoint. */
  readonly region?: Region;
  /** Tried in order, the default endpoint last; see `withoutDefault`. An empty array throws. */
  readonly endpoints?: string | readonly string[] | WithoutDefault;
  /** Before the names in cookies and local storage; `_vid_` by default. */
  readonly storageKeyPrefix?: string;
  /** The frameworks that the agent is used from, as `name/version`. */
  readonly integrationInfo?: readonly string[];
  /** Taken so that options of other agents fit; the local service has no such signal. */
  readonly remoteControlDetection?: boolean;
}

/** Options of `start()` in the package. */
export interface StartOptions extends CommonStartOptions {
  /** The public API key. */
  readonly apiKey: string;
  readonly urlHashing?: UrlHashing;
  /** Without a cache, each `get()` makes an event. */
  readonly cache?: false | CacheOptions;
}

/**
 * Options of `start()` in the script that the service serves. `urlHashing` and
 * `cache` are refused: only the package has them.
 */
export interface ScriptStartOptions extends CommonStartOptions {
  /** By default the one in the script's address. */
  readonly apiKey?: string;
}
