import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { fileProblem } from "@devid/sdk/errors";
import { DevidError } from "@devid/sdk";
import type { KeptNames } from "../declare/references";
import { ExportedPart } from "./exported-part";

/** The file that lists what an export wrote, so that the next export recognises its own files. */
const MANIFEST = ".devid-export.json";

/** The name of a file while a process writes it. */
const draftOf = (pid: number) => `.devid-export.${pid}.draft`;

const VERSION = 4;

/** SHA-256 of each file, in hex, by its path within the folder. */
const Hashes = z.record(z.string().regex(/^(?!.*\.\.)[^/\\].*$/s), z.string());

/** The name of a resource. Names become code and paths, and anybody may have edited the manifest. */
const Name = z.string().regex(/^[\p{ID_Continue}-]+$/u);

const Manifest = z.object({
  version: z.literal(VERSION),
  part: ExportedPart,
  /** The names of the program's resources, by kind and by the ID of their objects. */
  names: z.record(z.string(), z.record(z.string(), Name)).default({}),
  files: Hashes,
  /** The files that the export replaces or removes, until it has ended. */
  earlier: Hashes.default({}),
});

/** What an export wrote into a folder. */
export interface ExportManifest {
  /** The hashes of its files, by path; empty where no export wrote into the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The hashes of the files before an export that was killed. */
  readonly earlier: Readonly<Record<string, string>>;
  readonly part?: ExportedPart;
  /** The names of its resources, which the next export keeps. */
  readonly names: KeptNames;
}

/** A file of a program cannot be read or written; the message says why. */
export class ProgramFileError extends DevidError {
  override readonly name = "ProgramFileError";

  constructor(
    readonly path: string,
    done: "read" | "written" | "removed",
    cause: unknown,
  ) {
    const problem = fileProblem(cause, done === "read" ? "read" : "written");
    super(`${path} cannot be ${done}: ${problem}.`, { cause });
  }
}

/** Does something with a file of a program. @throws ProgramFileError */
function doneWith<Result>(
  path: string,
  done: "read" | "written" | "removed",
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    throw new ProgramFileError(path, done, error);
  }
}

/** A newer version of devid wrote a folder; nothing was read or written. */
export class NewerExportError extends DevidError {
  override readonly name = "NewerExportError";
}

/**
 * A path in a folder is a symbolic link or a special file, so that writing would change
 * another place. Nothing was written.
 */
export class IndirectPathError extends DevidError {
  override readonly name = "IndirectPathError";
}

/**
 * Checks that each path is a plain file in plain folders, or free. The folder itself
 * may be a symbolic link.
 * @throws IndirectPathError
 */
export function assertPlain(folder: string, paths: Iterable<string>): void {
  const found = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let n = 1; n <= parts.length; n++) {
      const part = parts.slice(0, n).join("/");
      const what = obstacleAt(join(folder, part), n === parts.length);
      if (what === undefined) continue;
      found.add(`  ${part}: ${what}`);
      break;
    }
  }
  if (found.size > 0)
    throw new IndirectPathError(
      [
        `An export writes files of its own only, and in ${folder} there are others in their place:`,
        ...found,
        "Nothing was written. Remove them, or export to another folder.",
      ].join("\n"),
    );
}

/**
 * What is at a path instead of a file or a folder, such as a symbolic link; otherwise
 * undefined.
 */
function obstacleAt(path: string, isFile: boolean): string | undefined {
  const stat = doneWith(path, "read", () =>
    lstatSync(path, { throwIfNoEntry: false }),
  );
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (isFile ? stat.isFile() : stat.isDirectory()) return undefined;
  return isFile ? "not a file" : "not a folder";
}

const NOTHING: ExportManifest = { files: {}, earlier: {}, names: {} };

/**
 * Reads the manifest of an export in a folder; empty if no export wrote into the
 * folder. @throws NewerExportError, IndirectPathError
 */
export function readManifest(folder: string): ExportManifest {
  assertPlain(folder, [MANIFEST]);
  const text = textOnDisk(folder, MANIFEST);
  if (text === undefined) return NOTHING;
  const { content } = versionedJson(`${folder}/${MANIFEST}`, text, VERSION);
  // With an unreadable manifest, no file counts as written by an export.
  return Manifest.safeParse(content).data ?? NOTHING;
}

/**
 * The JSON in a file of an export, undefined if it is not valid, and its version, or 0.
 * @throws NewerExportError
 */
export function versionedJson(path: string, text: string, newest: number) {
  const content = jsonOf(text);
  const { version = 0 } =
    z.object({ version: z.number() }).safeParse(content).data ?? {};
  if (version > newest)
    throw new NewerExportError(
      `A newer devid wrote ${path}; update devid to work with this folder.`,
    );
  return { content, version };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message is left out, because it may quote the text.
    return undefined;
  }
}

/**
 * Writes the manifest of an export.
 * @param earlier paths of the files that the export is about to replace or remove
 */
export function writeManifest(
  folder: string,
  program: {
    readonly files: ReadonlyMap<string, string>;
    readonly part: ExportedPart;
    readonly names: KeptNames;
  },
  earlier: readonly string[] = [],
): void {
  const { files, part, names } = program;
  const hashes = [...files].map(([path, text]) => [path, hash(text)] as const);
  const manifest = {
    ...{ version: VERSION, part, names },
    files: Object.fromEntries(hashes),
    ...(earlier.length > 0 && {
      earlier: Object.fromEntries(
        earlier.map((path) => [path, hashOnDisk(folder, path)]),
      ),
    }),
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  if (text !== textOnDisk(folder, MANIFEST))
    writeToDisk(folder, MANIFEST, text);
}

/**
 * Writes a file that only its owner can read, because the address of a webhook may
 * contain a password. A kill leaves either the old file or the new one.
 * @throws ProgramFileError
 */
export function writeToDisk(folder: string, path: string, text: string): void {
  const target = join(folder, path);
  const draft = join(folder, draftOf(process.pid));
  doneWith(target, "written", () => {
    makeFolder(dirname(target));
    try {
      writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
      renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a file system
 * takes no folder, as in /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Removes the drafts of exports that were killed. @throws ProgramFileError */
export function removeDrafts(folder: string): void {
  const names = doneWith(folder, "read", () =>
    existsSync(folder) ? readdirSync(folder) : [],
  );
  for (const name of names) {
    const pid = Number(/\d+/.exec(name));
    // In a container, the killed process often had the number of this one.
    const isLeftOver = pid === process.pid || !isRunning(pid);
    if (name === draftOf(pid) && isLeftOver) removeFromDisk(folder, name);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Removes a file of a folder. @throws ProgramFileError */
export function removeFromDisk(folder: string, path: string): void {
  const target = join(folder, path);
  doneWith(target, "removed", () => rmSync(target));
}

/**
 * The text of a file in a folder, or `undefined`. The ends of its lines are those of an
 * export: a checkout on Windows may turn them.
 * @throws ProgramFileError
 */
export function textOnDisk(folder: string, path: string): string | undefined {
  const target = join(folder, path);
  return doneWith(target, "read", () =>
    // Unlike existsSync, this throws for a folder that may not be read.
    statSync(target, { throwIfNoEntry: false })
      ? readFileSync(target, "utf8").replaceAll("\r\n", "\n")
      : undefined,
  );
}

/** The hash of a file in a folder, in the form of the manifest. */
export function hashOnDisk(folder: string, path: string): string | undefined {
  const text = textOnDisk(folder, path);
  return text === undefined ? undefined : hash(text);
}

/** Whether a file of a program is the config of a stack, which Pulumi itself writes to. */
export const isStackConfig = (path: string): boolean =>
  /^Pulumi\.[^.]+\.yaml$/.test(path);

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
