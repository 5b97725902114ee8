import { createHash } from "node:crypto";
import path from "node:path";
import { engineHash } from "../build/engine-hash.js";
import { installOnce } from "../build/install-once.js";
import { reportToStderr } from "../build/progress.js";
import { runCommand, type RunCommandOptions } from "../build/run-command.js";
import { ENGINE_VERSION } from "../engine-version.js";
import { EngineError } from "../errors.js";
import { cacheFolders } from "./cache-folders.js";
import type { FindEngineOptions } from "./find-engine.js";

/** Pulumi's package for programs, and the packages that generated SDKs need. */
const PACKAGES = [`pulumi==${ENGINE_VERSION}`, "parver", "semver"];
const INSTALLING = `installing ${PACKAGES.join(", ")}`;

/**
 * Finds the virtual environment in the cache that has the packages for Python
 * programs, or makes it with `python3` and pip in about half a minute.
 *
 * @returns the absolute path of its folder.
 * @throws EngineError if Python is missing, is too old or has no `venv`, or with the
 * end of pip's output.
 */
export async function findPythonEnvironment(
  options: Pick<FindEngineOptions, "env" | "report"> = {},
): Promise<string> {
  const { env = process.env, report = reportToStderr } = options;
  const { builds, lock } = cacheFolders(env, await engineHash());
  const python = await runPython(
    "python3",
    ["-c", "import sys; print(sys.executable, sys.version)"],
    { env },
    "looking for Python",
  );
  // Packages that were built for one Python do not work with another.
  const hash = createHash("sha256").update(`${PACKAGES.join()}\n${python}`);
  const name = `python-${ENGINE_VERSION}-${hash.digest("hex").slice(0, 12)}`;
  return installOnce({
    folder: path.join(builds, name),
    lock,
    doing: `${INSTALLING} for Python programs`,
    usually: "half a minute, once",
    report,
    fill: (folder, signal) => makeEnvironment(folder, { env, signal }),
  });
}

async function makeEnvironment(
  folder: string,
  options: RunCommandOptions,
): Promise<void> {
  const make = ["-m", "venv", folder];
  await runPython("python3", make, options, "making a virtual environment");
  const install = ["-m", "pip", "install", "--disable-pip-version-check"];
  const python = path.join(folder, "bin", "python");
  const args = [...install, "--quiet", ...PACKAGES];
  await runPython(python, args, options, INSTALLING);
}

async function runPython(
  python: string,
  args: readonly string[],
  options: RunCommandOptions,
  doing: string,
): Promise<string> {
  const { exitCode, output } = await runCommand(python, args, options);
  if (exitCode === 0) return output;
  const end = output.split("\n").slice(-8).join("\n");
  throw new EngineError(
    `Preparing Python programs failed, ${doing}: ${end}\n` +
      "They need Python 3.10 or later as `python3` on PATH, with venv and pip " +
      "(on Debian: apt-get install python3-venv).",
  );
}
