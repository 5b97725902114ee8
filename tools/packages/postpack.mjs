// Runs after npm has packed the package of this folder. Puts the repository's README
// back.
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./packages.mjs";

/** The path of the repository's README while npm packs the package's README. */
export const originalReadme = (folder) =>
  join(ROOT, "node_modules/.cache/devid", `${folder}-README.md`);

/** Puts the repository's README back, if it was moved. */
export function restoreReadme(folder) {
  const original = originalReadme(folder);
  if (!existsSync(original)) return;
  copyFileSync(original, join(ROOT, folder, "README.md"));
  rmSync(original);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  restoreReadme(relative(ROOT, process.cwd()));
