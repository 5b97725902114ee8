import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cleaningUp, writing } from "../interruption";
import { harmlessText } from "@devid/sdk/errors";
import { cursorStream } from "./guard-output";

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
 * Writes a file of the user.
 * @param options as those of Node: `{ flag: "a" }` adds to the end of the file
 * @throws UsageError if it cannot be written
 */
export function writeTo(
  path: string,
  content: string | Uint8Array,
  options?: { readonly flag?: "a" | "wx"; readonly mode?: number },
): void {
  writing(path, () => writeFileSync(path, content, options));
}

/**
 * Makes way for files that a command writes anew. A link is removed, and not what it leads to.
 * @throws UsageError if something else than a file is there
 */
export function removeFiles(...paths: readonly string[]): void {
  for (const path of paths) writing(path, () => rmSync(path, { force: true }));
}

/**
 * Opens a file that only its owner can read, for what another process writes.
 * @returns its descriptor
 * @throws UsageError if it cannot be written
 */
export const openPrivately = (path: string): number =>
  writing(path, () => openForOwner(path));

/**
 * Writes a text to a file that only its owner can read.
 * @throws UsageError if it cannot be written
 */
export function writePrivately(path: string, text: string): void {
  writing(path, () => {
    const file = openForOwner(path);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  });
}

function openForOwner(path: string): number {
  const file = openSync(path, "w", 0o600);
  // A file that exists has kept its mode.
  fchmodSync(file, 0o600);
  return file;
}

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
 * Replaces the text of an existing file at once: a concurrent reader sees
 * either the old text or the new one. Permissions are kept, for root the owner, too, and a
 * symbolic link stays a link.
 * @throws UsageError if the file cannot be written
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
      throw error;
    }
  });
}
