import { fstatSync, writeSync } from "node:fs";

/** Writes all bytes, or throws. One call of the system may write a part of them only. */
export function writeWhole(
  descriptor: number,
  bytes: Uint8Array,
  position?: number,
): void {
  for (let done = 0; done < bytes.length;) {
    const at = position === undefined ? null : position + done;
    done += writeSync(descriptor, bytes, done, bytes.length - done, at);
  }
}

/**
 * Makes a stream of the process write whole chunks, or emit an error. Where the stream is a
 * file, Node takes a chunk of which the system wrote a part for written.
 */
export function writeWholeChunks(
  stream: NodeJS.WriteStream & { fd?: number },
): void {
  const { fd } = stream;
  if (fd === undefined || !fstatSync(fd).isFile()) return;
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      writeWhole(fd, chunk);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
}
