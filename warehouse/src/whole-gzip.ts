import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/**
 * What is wrong with a file of gzip: it was cut short, or its checksum does not fit.
 * Undefined where it is whole. DuckDB reads a file that was cut short as if it ended
 * there.
 * @throws the reason of the signal; an error of the file system
 */
export async function gzipProblem(
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(path), createGunzip(), nowhere, { signal });
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith("Z_")) return message;
    throw error;
  }
}
