import { rm } from "node:fs/promises";
import path from "node:path";
import { linkOrCopy } from "../build/build-engine.js";
import { buildGo } from "../build/build-go.js";
import { withBuildLock } from "../build/build-lock.js";
import {
  type GoRecipe,
  type HostLanguage,
  languageHostRecipes,
} from "../build/build-recipe.js";
import { cacheFolders } from "./cache-folders.js";
import { findBeside } from "../engine-files.js";
import { engineHash } from "../build/engine-hash.js";
import type { Engine, FindEngineOptions } from "./find-engine.js";
import { interruptible } from "../build/interruptible.js";
import { reportToStderr } from "../build/progress.js";

/**
 * Finds an engine's language host for YAML or Python programs, or builds it with Go.
 *
 * If the host is next to the engine or on PATH, the engine finds it by itself.
 * A host that is built for an engine from elsewhere stays in the cache; the
 * caller must then add its folder to PATH.
 *
 * @returns the absolute path of the host, such as `pulumi-language-yaml`.
 * @throws EngineError if Go is missing, or with the end of Go's output if the
 * build fails.
 */
export async function findLanguageHost(
  language: HostLanguage,
  engine: Engine,
  options: Pick<FindEngineOptions, "env" | "report"> = {},
): Promise<string> {
  const { env = process.env, report = reportToStderr } = options;
  const recipe: GoRecipe = languageHostRecipes[language];
  const present = await findBeside(engine.path, recipe.executable, env);
  if (present !== undefined) return present;

  const { builds, built, lock } = cacheFolders(env, await engineHash());
  const bin = path.dirname(engine.path);
  const isOurBuild = bin === path.join(built, "bin");
  return interruptible((signal) =>
    withBuildLock(lock, { report, signal }, async () => {
      const context = { env, report, signal, builds };
      const host = await buildGo(recipe, context);
      if (!isOurBuild) return host;
      // The script is linked before the host. So if the host exists, the script exists,
      // too.
      const script = path.basename(recipe.script?.file ?? "");
      for (const name of [script, recipe.executable].filter(Boolean)) {
        const target = path.join(bin, name);
        await rm(target, { force: true });
        await linkOrCopy(path.join(path.dirname(host), name), target);
      }
      return path.join(bin, recipe.executable);
    }),
  );
}
