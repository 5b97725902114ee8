import { homedir } from "node:os";
import path from "node:path";
import { ENGINE_VERSION } from "../engine-version.js";

/** The folders of this package in the user's cache. */
export interface CacheFolders {
  /** Folder of everything that is built here. */
  builds: string;
  /** The engine built from exactly these sources; it contains `bin`. */
  built: string;
  /**
   * The engine of the official installer, which no build writes to; it contains
   * `bin`.
   */
  official: string;
  /** The lock of the process that is downloading or building. */
  lock: string;
}

/**
 * The cache folders for one hash of the sources, under `XDG_CACHE_HOME` or
 * `~/.cache`.
 */
export function cacheFolders(
  env: NodeJS.ProcessEnv,
  hash: string,
): CacheFolders {
  const given = env.XDG_CACHE_HOME ?? "";
  // The XDG specification requires that relative paths are ignored.
  const base = path.isAbsolute(given)
    ? given
    : path.join(env.HOME ?? homedir(), ".cache");
  const builds = path.join(base, "devid", "engine");
  return {
    builds,
    built: path.join(builds, `${ENGINE_VERSION}-${hash}`),
    official: path.join(base, "devid", "official-engine", ENGINE_VERSION),
    lock: path.join(builds, "build-lock.sqlite"),
  };
}
