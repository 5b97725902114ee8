import { createHash, type Hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type GoRecipe, cliRecipe, nodeHostRecipe } from "./build-recipe.js";
import { dynamicProviderScript, packageFolder } from "../engine-files.js";

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Hashes everything that affects one executable built with Go: 12 hexadecimal
 * digits.
 */
export async function goHash(recipe: GoRecipe): Promise<string> {
  const hash = createHash("sha256");
  const { linkerFlags, script } = recipe;
  const settings = [PLATFORM, recipe.package, linkerFlags];
  hash.update(JSON.stringify(script ? [...settings, script] : settings));
  await addFolder(hash, recipe.module);
  return hash.digest("hex").slice(0, 12);
}

/**
 * Hashes everything that affects a built engine: 12 hexadecimal digits. The location of the
 * clone, file times and line endings do not matter.
 */
export async function engineHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const recipe of [cliRecipe, nodeHostRecipe])
    hash.update(await goHash(recipe));
  hash.update(await readFile(dynamicProviderScript()));
  return hash.digest("hex").slice(0, 12);
}

async function addFolder(hash: Hash, relative: string): Promise<void> {
  const folder = path.join(packageFolder, relative);
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const inside = path.posix.join(relative, entry.name);
    if (entry.isDirectory()) {
      await addFolder(hash, inside);
    } else {
      const text = await readFile(path.join(packageFolder, inside), "utf8");
      const content = text.replaceAll("\r\n", "\n");
      hash.update(JSON.stringify([inside, content]));
    }
  }
}
