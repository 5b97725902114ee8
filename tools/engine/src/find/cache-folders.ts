import { homedir } from "node:os";
import path from "node:path";
import { ENGINE_VERSION } from "../engine-version.js";

/** Places of this package in the user's cache. */
export interface CacheFolders {
  /** Everything that is built here. */
  builds: string;
  /** Engine built for exactly these sources; `bin` is inside. */
  built: string;
  /** Root of the official installer, never shared with a build; `bin` is inside. */
  official: string;
  /** Lock of whoever is downloading or building. */
  lock: string;
}

/** The cache folders under `XDG_CACHE_HOME`, or `~/.cache` without it, for one hash of the sources. */
export function cacheFolders(
  env: NodeJS.ProcessEnv,
  hash: string,
): CacheFolders {
  const given = env.XDG_CACHE_HOME ?? "";
  // The XDG specification says to ignore relative paths.
  const base = path.isAbsolute(given)
    ? given
    : path.join(env.HOME ?? homedir(), ".cache");
  const builds = path.join(base, "devid", "engine");
  return {
    builds,
    built: path.join(builds, `${ENGINE_VERSION}-${hash}`),
    official: path.join(base, "devid", "official-engine", ENGINE_VERSION),
    lock: path.join(builds, "build.lock"),
  };
}
