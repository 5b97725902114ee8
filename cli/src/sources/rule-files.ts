import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { decodeRuleFile } from "@devid/rules";
import { fileError, UsageError } from "../errors";

/** A file and its text. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What reports call standard input. */
export const STDIN = "<stdin>";

/**
 * Lists rule files: standard input for `-`, each file that is named, and in a named folder every YAML
 * or JSON file for which `isRuleFile` is true, at any depth.
 * @throws UsageError for a path that cannot be read, or a folder without rule
 * files
 */
export function ruleFiles(
  paths: readonly string[],
  isRuleFile: (text: string) => boolean,
): TextFile[] {
  const found: TextFile[] = [];
  for (const path of paths) {
    if (path === "-") {
      found.push({ path: STDIN, text: decodeRuleFile(readFileSync(0)) });
      continue;
    }
    if (!isFolder(path)) {
      found.push(readTextFile(path));
      continue;
    }
    const names = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes("node_modules"))
      .sort();
    const files = names.map(readTextFile);
    const ruleFiles = files.filter(({ text }) => isRuleFile(text));
    if (ruleFiles.length === 0)
      throw new UsageError(
        `There is no rule file in the folder ${path}: no .yaml, .yml or .json file that has rules.`,
      );
    found.push(...ruleFiles);
  }
  return found;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether there is a file at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * Reads a file. If it is not UTF-8, an error follows only when it is read as a
 * rule file.
 * @throws UsageError if it cannot be read
 */
export function readTextFile(path: string): TextFile {
  try {
    return { path, text: decodeRuleFile(readFileSync(path)) };
  } catch (error) {
    throw fileError(path, "read", error);
  }
}
