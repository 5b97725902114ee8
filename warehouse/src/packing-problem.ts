import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
} from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/**
 * What is wrong with a file of gzip or zstd: it was cut short, it is packed in another way,
 * or, for gzip, its checksum does not fit. Undefined for a whole file, or one of another
 * name. DuckDB reads a file that was cut short as if it ended there.
 * @throws the reason of the signal; an error of the file system
 */
export async function packingProblem(
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (path.endsWith(".zst")) return zstdProblem(path);
  if (!path.endsWith(".gz")) return undefined;
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

/** Follows the lengths of frames and blocks (RFC 8878, section 3.1) to the end of a file. */
function zstdProblem(path: string): string | undefined {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(4);
    let at = 0;
    /** The next number of so many bytes, which are 0 behind the end of the file. */
    const next = (bytes: number) => {
      readSync(file, buffer.fill(0), 0, bytes, at);
      at += bytes;
      return buffer.readUIntLE(0, bytes);
    };
    do {
      const magic = next(4);
      if (magic >>> 4 === 0x184d2a5) {
        const skipped = next(4);
        at += skipped;
        continue;
      }
      if (at <= size && magic !== 0xfd2fb528) return "it is not packed by zstd";
      const descriptor = next(1);
      const isSingle = (descriptor & 0x20) !== 0;
      at += isSingle ? 0 : 1;
      at += [0, 1, 2, 4][descriptor & 3] ?? 0;
      at += [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
      let block = 0;
      while ((block & 1) === 0) {
        if (at >= size) return "unexpected end of file";
        block = next(3);
        const isRepeatedByte = (block & 6) === 2;
        at += isRepeatedByte ? 1 : block >> 3;
      }
      // The bit of the checksum, which has 4 bytes.
      at += descriptor & 4;
    } while (at < size);
    return at === size ? undefined : "unexpected end of file";
  } finally {
    closeSync(file);
  }
}
