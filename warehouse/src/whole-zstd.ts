import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const FRAME = 0xfd2fb528;
/** The first of 16 numbers that begin a frame to be skipped. */
const SKIPPED_FRAME = 0x184d2a50;
/** Bytes of a header's fields, by their flags. */
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];
/** The type of a block that is one byte, repeated. */
const REPEATED = 1;

/**
 * Whether a file of zstd has all blocks of its frames (RFC 8878). DuckDB reads a file
 * that was cut short as if it ended there.
 */
export function isWholeZstd(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    let at = 0;
    /** The next number; NaN behind the end, which makes `at` NaN as well. */
    const next = (bytes: number): number => {
      const buffer = Buffer.alloc(bytes);
      const found = readSync(file, buffer, 0, bytes, at);
      at = found < bytes ? NaN : at + bytes;
      return found < bytes ? NaN : buffer.readUIntLE(0, bytes);
    };
    while (at < size) {
      const magic = next(4);
      if (magic >= SKIPPED_FRAME && magic < SKIPPED_FRAME + 16) {
        at += next(4);
        continue;
      }
      if (magic !== FRAME) return false;
      const flags = next(1);
      const isSingle = (flags & 32) !== 0;
      const sizeBytes = SIZE_BYTES[flags >> 6] || (isSingle ? 1 : 0);
      at += (isSingle ? 0 : 1) + (DICTIONARY_BYTES[flags & 3] ?? 0) + sizeBytes;
      for (let isLast = false; !isLast && at < size;) {
        const block = next(3);
        isLast = (block & 1) === 1;
        at += ((block >> 1) & 3) === REPEATED ? 1 : block >> 3;
        if (isLast && (flags & 4) !== 0) at += 4;
        if (!isLast && at >= size) return false;
      }
    }
    return at === size;
  } finally {
    closeSync(file);
  }
}
