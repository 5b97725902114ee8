/**
 * Where an engine came from, in the order in which the places are tried.
 *
 * `cache` is an engine that an earlier `download` or `build` left behind.
 */
export type EngineSource =
  "DEVID_PULUMI" | "PATH" | "cache" | "download" | "build";

/** A usable Pulumi engine: a `pulumi` executable with its Node.js language host. */
export interface Engine {
  /** Absolute path of the `pulumi` executable. */
  path: string;
  /** Version of the executable without a leading `v`: `3.246.0`. */
  version: string;
  source: EngineSource;
}
