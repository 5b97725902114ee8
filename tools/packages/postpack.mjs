// Runs after npm has packed the package of this folder. Puts the repository's README
// back.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./packages.mjs";

/** The file that has the repository's README and the package's while npm packs. */
export const keptReadme = (folder) =>
  join(ROOT, "node_modules/.cache/devid", `${folder}-README.json`);

/**
 * Puts the repository's README back, if it was moved. After an interrupted pack, somebody may
 * have put it back and edited it: it then stays.
 */
export function restoreReadme(readme, kept) {
  if (!existsSync(kept)) return;
  const { original, packed } = JSON.parse(readFileSync(kept, "utf8"));
  if (readFileSync(readme, "utf8") === packed) writeFileSync(readme, original);
  rmSync(kept);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  restoreReadme("README.md", keptReadme(relative(ROOT, process.cwd())));
