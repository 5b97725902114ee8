import path from "node:path";
import { buildEngine, type EngineBuilder } from "../build/build-engine.js";
import { withBuildLock } from "../build/build-lock.js";
import { cacheFolders, type CacheFolders } from "./cache-folders.js";
import { downloadEngine } from "../build/download-engine.js";
import {
  DYNAMIC_PROVIDER,
  isExecutable,
  NODE_HOST,
  PULUMI,
} from "../engine-files.js";
import {
  EngineError,
  EngineMissingError,
  type FailedAttempt,
} from "../errors.js";
import { engineHash } from "../build/engine-hash.js";
import { ENGINE_VERSION } from "../engine-version.js";
import { installIntoCache } from "../build/install-into-cache.js";
import { interruptible } from "../build/interruptible.js";
import { probeEngine } from "./probe-engine.js";
import { reportToStderr, type Report } from "../build/progress.js";

/**
 * Where an engine was found; the places are tried in this order.
 *
 * `cache` means that an earlier `download` or `build` left the engine there.
 */
export type EngineSource =
  | "DEVID_PULUMI"
  | "PATH"
  | "cache"
  | "download"
  | "build";

/** A usable Pulumi engine: a `pulumi` executable with its Node.js language host. */
export interface Engine {
  /** Absolute path of the `pulumi` executable. */
  path: string;
  /** Version of the executable without a leading `v`: `3.246.0`. */
  version: string;
  source: EngineSource;
}

/** How to look for an engine; every option has a default. */
export interface FindEngineOptions {
  /** Environment to read DEVID_PULUMI, PATH and XDG_CACHE_HOME from. */
  env?: NodeJS.ProcessEnv;
  /** Receives progress lines; stderr by default. */
  report?: Report;
  /** Gets the official engine into a folder. */
  download?: EngineBuilder;
  /** Builds an engine into a folder. */
  build?: EngineBuilder;
}

/**
 * Finds or installs a Pulumi engine. The order is: DEVID_PULUMI, PATH, the
 * cache, the official download, a build from the Go modules.
 *
 * If DEVID_PULUMI does not work, the search fails. The first build takes about
 * five minutes; later searches find its result in the cache.
 *
 * @throws EngineMissingError with the reason for each place, and with ways to
 * solve it.
 */
export async function findEngine(
  options: FindEngineOptions = {},
): Promise<Engine> {
  const env = options.env ?? process.env;
  const attempts: FailedAttempt[] = [];

  const explicit = env.DEVID_PULUMI ?? "";
  if (explicit !== "") {
    const probed = await probeEngine(explicit, env);
    if (probed.usable) return found(probed, "DEVID_PULUMI");
    throw new EngineError(
      `DEVID_PULUMI names no usable Pulumi engine: ${probed.reason}. ` +
        "Correct it, or unset it to look elsewhere.",
    );
  }

  const onPath = await probeEngine(PULUMI, env);
  if (onPath.usable) return found(onPath, "PATH");
  attempts.push({ place: "PATH", reason: onPath.reason });

  const folders = cacheFolders(env, await engineHash());
  return (
    (await findCached(folders)) ?? (await getEngine(folders, attempts, options))
  );
}

async function getEngine(
  folders: CacheFolders,
  attempts: FailedAttempt[],
  options: FindEngineOptions,
): Promise<Engine> {
  const { env = process.env, report = reportToStderr } = options;
  const { download = downloadEngine, build = buildEngine } = options;
  return interruptible((signal) =>
    withBuildLock(folders.lock, { report, signal }, async () => {
      const cached = await findCached(folders);
      if (cached !== undefined) return cached;
      const { builds } = folders;
      const context = { env, report, signal, builds };
      const ways = [
        { source: "download", folder: folders.official, get: download },
        { source: "build", folder: folders.built, get: build },
      ] as const;
      for (const { source, folder, get } of ways) {
        try {
          await installIntoCache(folder, (partial) => get(partial, context));
          return { ...engineIn(folder), source };
        } catch (error) {
          signal.throwIfAborted();
          attempts.push({ place: source, reason: reasonOf(error) });
        }
      }
      throw new EngineMissingError(attempts);
    }),
  );
}

/** The engine that an earlier build or download left in the cache. */
async function findCached(folders: CacheFolders): Promise<Engine | undefined> {
  for (const folder of [folders.built, folders.official]) {
    const bin = path.join(folder, "bin");
    const needed = [PULUMI, NODE_HOST, DYNAMIC_PROVIDER];
    const present = await Promise.all(
      needed.map((name) => isExecutable(path.join(bin, name))),
    );
    if (!present.includes(false)) {
      return { ...engineIn(folder), source: "cache" };
    }
  }
  return undefined;
}

function engineIn(folder: string): Omit<Engine, "source"> {
  return { path: path.join(folder, "bin", PULUMI), version: ENGINE_VERSION };
}

function found(
  { path: file, version }: { path: string; version: string },
  source: EngineSource,
): Engine {
  return { path: file, version, source };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
