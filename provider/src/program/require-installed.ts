import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { runError } from "./program-errors";

const PACKAGE = "@devid/pulumi";

/** Whether the package was found; the answer holds for the whole process. */
let isInstalled = false;

/**
 * Makes sure that the program's folder has the same version of this package as
 * the program itself uses. The engine's host loads the provider from that folder. It does
 * not find a copy inside another package's `node_modules`.
 *
 * The check runs once a process, and only if an engine runs the program, because a unit
 * test or a nested program may be in any folder.
 *
 * @throws RunError with the command that installs it
 */
export function requireInstalled(): void {
  if (isInstalled || process.env.PULUMI_NODEJS_ENGINE === undefined) return;
  const problem = problemIn(process.cwd());
  if (problem !== undefined) throw runError(problem);
  isInstalled = true;
}

/** Why the package in a folder is not this version; undefined if it is. */
export function problemIn(folder: string): string | undefined {
  const own = versionOf(resolve(__dirname, "../.."));
  const install = `run in ${folder}: npm install ${PACKAGE}@${own}`;
  let provider: string;
  try {
    // A require of this module would always find this package itself.
    const { resolve: find } = createRequire(join(folder, "program.js"));
    provider = find(`${PACKAGE}/provider`);
  } catch {
    return `The engine loads ${PACKAGE} from the program's folder but does not find it there, because it is only inside the node_modules of another package; ${install}`;
  }
  const found = versionOf(resolve(dirname(provider), ".."));
  if (found === own) return undefined;
  return `The engine loads ${PACKAGE} from the program's folder and finds version ${found} there, while the program, or a package of it, uses ${own}; ${install}`;
}

/** Version of the package in a folder. */
export function versionOf(folder: string): string {
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
