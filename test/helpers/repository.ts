import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the repository. */
export const ROOT = resolve(__dirname, "../..");

/** The text of a file, by its path relative to the repository. */
export const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
