import { chmod, copyFile } from "node:fs/promises";
import path from "node:path";
import type { GoRecipe } from "./build-recipe.js";
import { findOnPath, isExecutable, packageFolder } from "../engine-files.js";
import { EngineError } from "../errors.js";
import { goHash } from "./engine-hash.js";
import { installIntoCache } from "./install-into-cache.js";
import { withProgress, type Report } from "./progress.js";
import { runCommand } from "./run-command.js";

/** What the caller passes to a build. */
export interface BuildContext {
  env: NodeJS.ProcessEnv;
  report: Report;
  /** Aborts when somebody ends the process. */
  signal: AbortSignal;
  /** Folder of the cache for parts that several engines share. */
  builds: string;
}

/**
 * Builds one executable with Go, unless the cache already has it. Its script is
 * next to it.
 *
 * Go's own configuration (`go env`) decides where modules are downloaded from.
 * Callers must hold the build lock.
 *
 * @returns the path of the executable in the cache.
 * @throws EngineError if Go is missing, or with the end of Go's output if the
 * build fails.
 */
export async function buildGo(
  recipe: GoRecipe,
  context: BuildContext,
): Promise<string> {
  const { builds } = context;
  const name = path.basename(recipe.module);
  const folder = path.join(builds, `${name}-${await goHash(recipe)}`);
  const executable = path.join(folder, recipe.executable);
  if (!(await isExecutable(executable))) {
    await installIntoCache(folder, async (partial) => {
      const output = path.join(partial, recipe.executable);
      await runGoBuild(recipe, output, context);
      await copyScript(recipe, partial, context);
    });
  }
  return executable;
}

async function copyScript(
  { module, script }: GoRecipe,
  folder: string,
  { env, signal }: BuildContext,
): Promise<void> {
  if (script === undefined) return;
  const args = ["list", "-m", "-f", "{{.Dir}}", script.module];
  const { exitCode, output } = await runCommand("go", args, {
    cwd: path.join(packageFolder, module),
    env: { ...env, GOWORK: "off" },
    signal,
  });
  if (exitCode !== 0) {
    throw new EngineError(
      `\`go ${args.join(" ")}\`, to find ${script.file}, failed: ${output}`,
    );
  }
  const target = path.join(folder, path.basename(script.file));
  await copyFile(path.join(output.trim(), script.file), target);
  await chmod(target, 0o755);
}

async function runGoBuild(
  recipe: GoRecipe,
  output: string,
  { env, report, signal }: BuildContext,
): Promise<void> {
  if ((await findOnPath("go", env)) === undefined) {
    throw new EngineError("no `go` on PATH");
  }
  let modules = 0;
  let packages = 0;
  const onLine = (line: string): void => {
    if (line.startsWith("go: downloading ")) modules += 1;
    else packages += 1;
  };
  const args = ["build", "-v", "-buildvcs=false"];
  args.push("-ldflags", recipe.linkerFlags, "-o", output, recipe.package);
  const progress = {
    doing: `building ${recipe.name}`,
    usually: recipe.usually,
    details: () =>
      `${modules} modules downloaded, ${packages} packages compiled`,
    report,
  };
  await withProgress(progress, async () => {
    const { exitCode, output: text } = await runCommand("go", args, {
      cwd: path.join(packageFolder, recipe.module),
      // An interrupted Go leaves temporary files behind; here they are removed
      // with ours.
      env: { ...env, GOWORK: "off", GOTMPDIR: path.dirname(output) },
      signal,
      onLine,
    });
    if (exitCode !== 0) {
      const end = text.split("\n").slice(-8).join("\n");
      throw new EngineError(`\`go build\` of ${recipe.package} failed: ${end}`);
    }
  });
}
