import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { foundAt } from "@devid/rules/internals";
import { harmlessText } from "@devid/sdk/errors";
import { calculate, cleaningUp, writing } from "../interruption";
import { cursorStream } from "./guard-output";
import { writeWhole } from "./write-whole";

/** A report as indented JSON: an object whose first member is `version`, 1. */
export const jsonReport = (report: object): string =>
  inJson({ version: 1, ...report });

/** Prints a report on standard output as `jsonReport` writes it. */
export function printJson(report: object): void {
  process.stdout.write(jsonReport(report));
}

/** Prints an object of the service as it is, which has a version of its own. */
export function printServiceObject(object: object): void {
  process.stdout.write(inJson(object));
}

const inJson = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Writes a report to a file or to standard output.
 * @throws UsageError if it cannot be written
 */
export function writeReport(report: string, out: string | undefined): void {
  if (out === undefined) {
    process.stdout.write(report);
    return;
  }
  // The log of a CI job often shows the report.
  writeTo(out, harmlessText(report));
}

/** Whether a report is shown on a terminal with colours. */
export const hasColors = ({ out }: { readonly out?: string }): boolean =>
  out === undefined && process.stdout.isTTY && process.stdout.hasColors();

/**
 * Writes commands for a CI runner to a file or to standard output. They bypass the
 * guard of standard output, which escapes commands.
 * @throws UsageError if they cannot be written
 */
export function writeRunnerCommands(
  commands: string,
  out: string | undefined,
): void {
  if (out === undefined) {
    cursorStream(process.stdout).write(commands);
    return;
  }
  writeTo(out, commands);
}

/**
 * Writes a file of the user. If that fails, a file that may be read has its earlier text,
 * and a new one is removed. A file is written in place, as a shell does: it may be
 * read-only, have several names or another owner, or be the standard output of this
 * process (`/dev/stdout`). A pipe waits for its reader, and a signal ends the command
 * meanwhile.
 * @param options as those of Node: `{ flag: "a" }` adds to the end of the file
 * @throws UsageError if it cannot be written
 */
export function writeTo(
  path: string,
  content: string | Uint8Array,
  options?: { readonly flag?: "a" | "wx"; readonly mode?: number },
): void {
  const found = foundAt(path);
  writing(path, () => {
    if (found?.isFile() && options === undefined && mayRead(path))
      return writeInPlace(path, content);
    if (found) return calculate(() => writeFileSync(path, content, options));
    const file = openSync(path, options?.flag ?? "w", options?.mode);
    try {
      writeFileSync(file, content);
    } catch (error) {
      // A link stays.
      rmSync(realpathSync(path));
      throw error;
    } finally {
      closeSync(file);
    }
  });
}

/** Whether this process may read a file. If not, the file cannot get its earlier text back. */
function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes way for files that a command writes anew. A link is removed, and not what it leads to.
 * @throws UsageError if something else than a file is there
 */
export function removeFiles(...paths: readonly string[]): void {
  for (const path of paths) writing(path, () => rmSync(path, { force: true }));
}

/**
 * Opens a new file that only its owner can read, for what another process writes.
 * @returns its descriptor
 * @throws UsageError if it cannot be written
 */
export const openPrivately = (path: string): number =>
  writing(path, () => openSync(path, "w", 0o600));

/** Temporary folders of this module, and of `@devid/warehouse` for events. */
const TEMPORARY = /^devid-(?:private|events)-\w{6}$/;

/** In milliseconds. No command runs as long as this. */
const LEFT_OVER_AFTER = 24 * 3_600_000;

/** Removes the temporary folders of commands that were killed. */
function removeLeftOver(): void {
  const ignoring = (work: () => void) => {
    try {
      work();
    } catch {
      // It belongs to another user, or another command has removed it.
    }
  };
  const remove = (folder: string) => {
    if (Date.now() - lstatSync(folder).mtimeMs > LEFT_OVER_AFTER)
      rmSync(folder, { recursive: true });
  };
  ignoring(() => {
    for (const name of readdirSync(tmpdir()))
      if (TEMPORARY.test(name)) ignoring(() => remove(join(tmpdir(), name)));
  });
}

/**
 * Runs work with a folder that only this user can read, and that no file of the repository
 * is in, and removes the folder: what the engine writes there may hold secrets. Also removes
 * such folders that killed commands left.
 */
export async function inPrivateFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const made = join(tmpdir(), "devid-private-");
  const folder = writing(made, () => mkdtempSync(made));
  removeLeftOver();
  return cleaningUp(
    () => work(folder),
    () => rmSync(folder, { recursive: true, force: true }),
  );
}

/**
 * Errors where a folder takes no new file, or where a file is mounted by itself, as in a
 * container. The file may be writable all the same.
 */
const IN_PLACE_ONLY = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV"]);

/**
 * Replaces the text of an existing file at once: a concurrent reader sees
 * either the old text or the new one. Permissions are kept, for root the owner, too, and a
 * symbolic link stays a link. A file that cannot be replaced is written in place.
 * @throws UsageError if the file cannot be written; it then has its old text
 */
export function writeFileAtomically(path: string, text: string): void {
  writing(path, () => {
    const target = realpathSync(path);
    // The name of the file may be as long as names can be.
    const draft = join(dirname(target), `.devid-${process.pid}-${Date.now()}`);
    try {
      const { mode, uid, gid } = statSync(target);
      writeFileSync(draft, text, { flag: "wx", mode });
      if (process.getuid?.() === 0) chownSync(draft, uid, gid);
      // The process's umask may have removed permissions.
      chmodSync(draft, mode);
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!IN_PLACE_ONLY.has(code)) throw error;
      writeInPlace(target, text);
    }
  });
}

function writeInPlace(path: string, content: string | Uint8Array): void {
  const file = openSync(path, "r+");
  const put = (bytes: Uint8Array) => {
    writeWhole(file, bytes, 0);
    ftruncateSync(file, bytes.length);
  };
  try {
    const before = readFileSync(file);
    try {
      put(Buffer.from(content));
    } catch (error) {
      put(before);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}
