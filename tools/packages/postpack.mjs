// After npm has packed the package of this folder: the README is again that of the
// repository.
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./packages.mjs";

/** Where the README of the repository is while npm packs that of the package. */
export const originalReadme = (folder) =>
  join(ROOT, "node_modules/.cache/devid", `${folder}-README.md`);

/** Puts the README of the repository back, if it is not there. */
export function restoreReadme(folder) {
  const original = originalReadme(folder);
  if (!existsSync(original)) return;
  copyFileSync(original, join(ROOT, folder, "README.md"));
  rmSync(original);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  restoreReadme(relative(ROOT, process.cwd()));
