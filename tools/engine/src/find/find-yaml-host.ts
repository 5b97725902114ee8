import { rm } from "node:fs/promises";
import path from "node:path";
import { linkOrCopy } from "../build/build-engine.js";
import { buildGo } from "../build/build-go.js";
import { withBuildLock } from "../build/build-lock.js";
import { yamlHostRecipe } from "../build/build-recipe.js";
import { cacheFolders } from "./cache-folders.js";
import { findBeside, YAML_HOST } from "../engine-files.js";
import { engineHash } from "../build/engine-hash.js";
import type { Engine, FindEngineOptions } from "./find-engine.js";
import { interruptible } from "../build/interruptible.js";
import { reportToStderr } from "../build/progress.js";

/**
 * Finds the YAML language host of an engine, or builds it with Go in about a
 * minute.
 *
 * If the host is next to the engine or on PATH, the engine finds it by itself.
 * A host that is built for an engine from elsewhere stays in the cache; the
 * caller must then add its folder to PATH.
 *
 * @returns the absolute path of `pulumi-language-yaml`.
 * @throws EngineError if Go is missing, or with the end of Go's output if the
 * build fails.
 */
export async function findYamlHost(
  engine: Engine,
  options: Pick<FindEngineOptions, "env" | "report"> = {},
): Promise<string> {
  const { env = process.env, report = reportToStderr } = options;
  const present = await findBeside(engine.path, YAML_HOST, env);
  if (present !== undefined) return present;

  const { builds, built, lock } = cacheFolders(env, await engineHash());
  const bin = path.dirname(engine.path);
  const target = path.join(bin, YAML_HOST);
  const isOurBuild = bin === path.join(built, "bin");
  return interruptible((signal) =>
    withBuildLock(lock, { report, signal }, async () => {
      const context = { env, report, signal, builds };
      const host = await buildGo(yamlHostRecipe, context);
      if (!isOurBuild) return host;
      await rm(target, { force: true });
      await linkOrCopy(host, target);
      return target;
    }),
  );
}
