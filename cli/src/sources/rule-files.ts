import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { decodeRuleFile } from "@devid/rules";
import { UsageError } from "../errors";

/** A file and what it holds. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files that are named, and of a folder every YAML or JSON file below it
 * that `isRuleFile` holds for.
 * @throws UsageError for a path that cannot be read, or a folder without any
 */
export function ruleFiles(
  paths: readonly string[],
  isRuleFile: (text: string) => boolean,
): TextFile[] {
  return paths.flatMap((path) => {
    if (!isFolder(path)) return [readTextFile(path)];
    const found = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes("node_modules"))
      .sort()
      .map(readTextFile)
      .filter(({ text }) => isRuleFile(text));
    if (found.length > 0) return found;
    throw new UsageError(`There is no rule file in the folder ${path}.`);
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Reads a file; what is not UTF-8 in it is refused where it is read as a rule file. @throws UsageError when that cannot be done */
export function readTextFile(path: string): TextFile {
  try {
    return { path, text: decodeRuleFile(readFileSync(path)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code;
    throw new UsageError(`${path} cannot be read: ${reason}.`);
  }
}
