import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
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
export async function ruleFiles(
  paths: readonly string[],
  isRuleFile: (text: string) => boolean,
): Promise<TextFile[]> {
  const found: TextFile[] = [];
  for (const path of paths) {
    if (!isFolder(path)) {
      found.push(await readTextFile(path));
      continue;
    }
    const names = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes("node_modules"))
      .sort();
    const files = await Promise.all(names.map(readTextFile));
    const ruleFiles = files.filter(({ text }) => isRuleFile(text));
    if (ruleFiles.length === 0)
      throw new UsageError(`There is no rule file in the folder ${path}.`);
    found.push(...ruleFiles);
  }
  return found;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Reads a file; what is not UTF-8 in it is refused where it is read as a rule file. @throws UsageError when that cannot be done */
export async function readTextFile(path: string): Promise<TextFile> {
  // Loaded with the first file that is read: most commands read none.
  const { decodeRuleFile } = await import("@devid/rules");
  try {
    return { path, text: decodeRuleFile(readFileSync(path)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code;
    throw new UsageError(`${path} cannot be read: ${reason}.`);
  }
}
