import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { LANGUAGES, type ProgramForm } from "./program-form";

/** The file that lists what an export wrote, so that the next export recognises its own files. */
const MANIFEST = ".devid-export.json";

const VERSION = 2;

const Manifest = z.object({
  version: z.literal(VERSION),
  form: z.object({ language: z.enum(LANGUAGES), plugin: z.boolean() }),
  /** SHA-256 of each file, in hex, by its path within the folder. */
  files: z.record(z.string().regex(/^(?!.*\.\.)[^/\\].*$/), z.string()),
});

/** What an export wrote into a folder. */
export interface ExportManifest {
  /** The hashes of its files, by path; empty where no export wrote into the folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly form?: ProgramForm;
}

/** What an export wrote into a folder; of any other folder, nothing. */
export function readManifest(folder: string): ExportManifest {
  const text = textOnDisk(folder, MANIFEST);
  if (text === undefined) return { files: {} };
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    // With an unreadable manifest, no file counts as written by an export.
    return { files: {} };
  }
}

/** Writes the manifest of an export. */
export function writeManifest(
  folder: string,
  {
    files,
    form,
  }: {
    readonly files: ReadonlyMap<string, string>;
    readonly form: ProgramForm;
  },
): void {
  const hashes = [...files].map(([path, text]) => [path, hash(text)] as const);
  const manifest = {
    version: VERSION,
    form,
    files: Object.fromEntries(hashes),
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  if (text !== textOnDisk(folder, MANIFEST))
    writeFileSync(join(folder, MANIFEST), text);
}

/** The text of a file in a folder, `undefined` where there is none. */
export function textOnDisk(folder: string, path: string): string | undefined {
  const target = join(folder, path);
  return existsSync(target) ? readFileSync(target, "utf8") : undefined;
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
