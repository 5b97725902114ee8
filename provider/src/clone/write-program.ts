import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ForeignFileError } from "./foreign-file-error";

/** Keeps what was written, so that a later export knows its own files. */
const MANIFEST = ".devid-export.json";

const Manifest = z.object({
  version: z.literal(1),
  /** SHA-256 of each file, in hex, by its path. */
  files: z.record(z.string().regex(/^(?!.*\.\.)[^/\\].*$/), z.string()),
});

/** What became of a folder. */
export interface WrittenProgram {
  readonly written: readonly string[];
  /** Files of an earlier export that this one does not have. */
  readonly removed: readonly string[];
  /** Stack config that was changed since it was written, and stays as it is. */
  readonly kept: readonly string[];
}

/**
 * Writes the files of a program into a folder, which may hold an earlier export
 * and anything else. Stack config that has changed since stays, for Pulumi
 * itself writes to it; of all other files, none is written over or removed
 * unless an export wrote it as it is now. With `force` they are.
 * @throws ForeignFileError before anything is written
 */
export function writeProgram(
  folder: string,
  files: ReadonlyMap<string, string>,
  { force = false }: { readonly force?: boolean } = {},
): WrittenProgram {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new ForeignFileError(folder, []);
  const before = readManifest(folder);
  const isOwn = (path: string) => before[path] === hashOnDisk(folder, path);
  const changed = [...files]
    .filter(([path, text]) => textOnDisk(folder, path) !== text)
    .map(([path]) => path);
  const gone = Object.keys(before).filter(
    (path) => !files.has(path) && existsSync(join(folder, path)),
  );
  const foreign = [...changed, ...gone].filter(
    (path) => existsSync(join(folder, path)) && !isOwn(path),
  );
  const kept = foreign.filter((path) => isStackConfig(path) && path in before);
  const refused = foreign.filter((path) => !kept.includes(path));
  if (refused.length > 0 && !force) throw new ForeignFileError(folder, refused);

  const written = changed.filter((path) => !kept.includes(path));
  for (const path of written) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, files.get(path) ?? "");
  }
  for (const path of gone) rmSync(join(folder, path));
  const hashes = [...files].map(([path, text]) => [path, hash(text)] as const);
  const manifest = { version: 1, files: Object.fromEntries(hashes) };
  writeFileSync(
    join(folder, MANIFEST),
    `${JSON.stringify(manifest, undefined, 2)}\n`,
  );
  return { written, removed: gone, kept };
}

const isStackConfig = (path: string) => /^Pulumi\.[^.]+\.yaml$/.test(path);

function readManifest(folder: string): Readonly<Record<string, string>> {
  const text = textOnDisk(folder, MANIFEST);
  if (text === undefined) return {};
  try {
    return Manifest.parse(JSON.parse(text)).files;
  } catch {
    // Then nothing in the folder is known to be an export's.
    return {};
  }
}

function textOnDisk(folder: string, path: string): string | undefined {
  const target = join(folder, path);
  return existsSync(target) ? readFileSync(target, "utf8") : undefined;
}

function hashOnDisk(folder: string, path: string): string | undefined {
  const text = textOnDisk(folder, path);
  return text === undefined ? undefined : hash(text);
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
