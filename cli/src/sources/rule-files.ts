import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import {
  decodeRuleFile,
  LARGEST_FILE,
  readProjectFile,
  readStandardInput,
} from "@devid/rules";
import { foundAt } from "@devid/rules/internals";
import { fileError, UsageError } from "../errors";
import { calculate, nextTurn } from "../interruption";
import { writeFileAtomically } from "../output/write-output";

/** A file and its text. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What reports call standard input. */
export const STDIN = "<stdin>";

/**
 * Lists rule files, each once. The path `-` is standard input, a file is listed whatever it
 * holds, and in a folder every YAML or JSON file of at most 4 MiB for which `isRuleFile` is
 * true is listed, at any depth.
 * @throws UsageError for a path that cannot be read, or a folder without rule
 * files
 */
export const ruleFiles = (
  paths: readonly string[],
  isRuleFile: (text: string) => boolean,
): TextFile[] =>
  calculate(() => {
    const found = new Map<string, TextFile>();
    for (const path of new Set(paths))
      for (const file of filesAt(path, isRuleFile))
        found.set(file.path === STDIN ? STDIN : realpathSync(file.path), file);
    return [...found.values()];
  });

function filesAt(
  path: string,
  isRuleFile: (text: string) => boolean,
): TextFile[] {
  if (path === "-") return [textFile(STDIN, reading(STDIN, readStandardInput))];
  if (path === "" || !foundAt(path)?.isDirectory()) return [readTextFile(path)];
  const files = namesIn(path)
    .map((name) => readTextFile(name))
    .filter(({ text }) => isRuleFile(text));
  if (files.length === 0)
    throw new UsageError(
      `There is no rule file in the folder ${path}: no .yaml, .yml or .json file that has rules.`,
    );
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !isInstalled(relative(folder, file)))
      .filter((file) => statSync(file).size <= LARGEST_FILE)
      .sort();
  } catch (error) {
    const { path = folder } = error as NodeJS.ErrnoException;
    throw fileError(path, "read", error);
  }
}

/** Whether a path in a folder leads through installed packages. */
const isInstalled = (path: string) => path.split(sep).includes("node_modules");

/** Whether there is a file at a path. */
export function isFile(path: string): boolean {
  return foundAt(path)?.isFile() ?? false;
}

/**
 * Bytes of the largest file that an engine, a pipeline or an export writes: a preview, its
 * events, the state of a stack.
 */
const LARGEST_OUTPUT = 256 * 1024 * 1024;

/**
 * Reads a file of the project, of at most 4 MiB, as people write it. If it is not UTF-8, an
 * error follows only when it is read as a rule file.
 * @throws UsageError if it cannot be read, or must not be
 */
export const readTextFile = (path: string): TextFile =>
  textFile(
    path,
    reading(path, () => readProjectFile(path)),
  );

const textFile = (path: string, bytes: Buffer): TextFile => ({
  path,
  text: decodeRuleFile(bytes),
});

function reading(path: string, read: () => Buffer): Buffer {
  try {
    return calculate(read);
  } catch (error) {
    throw fileError(path, "read", error);
  }
}

/**
 * Reads what an engine, a pipeline or an export has written, without the byte order mark
 * that some shells put in front of it. PowerShell 5 redirects output as UTF-16.
 * @throws UsageError as `readTextFile`
 */
export function readOutput(path: string): string {
  const bytes = reading(path, () => readProjectFile(path, LARGEST_OUTPUT));
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return withoutMark(
    isUtf16 ? bytes.toString("utf16le") : decodeRuleFile(bytes),
  );
}

/** A text without the byte order mark in front of it. */
export const withoutMark = (text: string): string =>
  text.replace(/^\ufeff/, "");

/**
 * Replaces the text of a file that was read before.
 * @throws UsageError if it cannot be written, or has another text by now
 */
export async function replaceText(
  { path, text }: TextFile,
  next: string,
): Promise<void> {
  if (readTextFile(path).text !== text)
    throw new UsageError(
      `${path} has changed since it was read, so it is left as it is. Run the command again.`,
    );
  writeFileAtomically(path, next);
  await nextTurn();
}
