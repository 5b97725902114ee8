import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { runError } from "./run-error";

const PACKAGE = "@devid/pulumi";

/** Whether it was looked for and found; the answer holds for the whole process. */
let isInstalled = false;

/**
 * Makes sure that the engine's host, which loads the provider from the program's
 * folder, finds the package that this program uses. A package that brings one
 * of its own, inside its own `node_modules`, is not enough.
 *
 * Looks once a process, and only where an engine runs the program: a unit test,
 * and a program inside another one, may stand in any folder.
 *
 * @throws RunError with the command that installs it
 */
export function requireInstalled(): void {
  if (isInstalled || process.env.PULUMI_NODEJS_ENGINE === undefined) return;
  const problem = problemIn(process.cwd());
  if (problem !== undefined) throw runError(problem);
  isInstalled = true;
}

/** Why the provider that a folder has is not the one of this package; undefined where it is. */
export function problemIn(folder: string): string | undefined {
  const own = versionOf(resolve(__dirname, "../../.."));
  const install = `run in ${folder}: npm install ${PACKAGE}@${own}`;
  let provider: string;
  try {
    // Not a require of this module: a package always finds itself.
    const { resolve: find } = createRequire(join(folder, "program.js"));
    provider = find(`${PACKAGE}/provider`);
  } catch {
    return `The engine loads ${PACKAGE} from the program's folder and does not find it there: a package has it inside its own node_modules; ${install}`;
  }
  const found = versionOf(resolve(dirname(provider), ".."));
  if (found === own) return undefined;
  return `The engine loads ${PACKAGE} from the program's folder and finds version ${found} there, while the program, or a package of it, uses ${own}; ${install}`;
}

/** Version of the package in a folder. */
function versionOf(folder: string): string {
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
