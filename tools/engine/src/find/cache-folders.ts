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

/** The folder of devid in the user's cache: under `XDG_CACHE_HOME`, else `~/.cache`. */
export function devidCache(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_CACHE_HOME ?? "";
  // The XDG specification requires that relative paths are ignored.
  const base = path.isAbsolute(given)
    ? given
    : path.join(env.HOME ?? homedir(), ".cache");
  return path.join(base, "devid");
}

/** The cache folders for one hash of the sources. */
export function cacheFolders(
  env: NodeJS.ProcessEnv,
  hash: string,
): CacheFolders {
  const cache = devidCache(env);
  const builds = path.join(cache, "engine");
  return {
    builds,
    built: path.join(builds, `${ENGINE_VERSION}-${hash}`),
    official: path.join(cache, "official-engine", ENGINE_VERSION),
    lock: path.join(builds, "build-lock.sqlite"),
  };
}
