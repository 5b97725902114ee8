import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The file that lists what an export wrote, so that the next export recognises its own files. */
const MANIFEST = ".devid-export.json";

const Manifest = z.object({
  version: z.literal(1),
  /** SHA-256 of each file, in hex, by its path within the folder. */
  files: z.record(z.string().regex(/^(?!.*\.\.)[^/\\].*$/), z.string()),
});

/** The hashes of the files that an export wrote into a folder, by path; empty for any other folder. */
export function readManifest(folder: string): Readonly<Record<string, string>> {
  const text = textOnDisk(folder, MANIFEST);
  if (text === undefined) return {};
  try {
    return Manifest.parse(JSON.parse(text)).files;
  } catch {
    // With an unreadable manifest, no file counts as written by an export.
    return {};
  }
}

/** Writes the manifest of an export. */
export function writeManifest(
  folder: string,
  files: ReadonlyMap<string, string>,
): void {
  const hashes = [...files].map(([path, text]) => [path, hash(text)] as const);
  const manifest = { version: 1, files: Object.fromEntries(hashes) };
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

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
