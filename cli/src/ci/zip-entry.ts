import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** The kind of file in the upper half of the attributes: S_IFMT, S_IFREG. */
const FILE_KIND = 0o170000;
const REGULAR = 0o100000;

/**
 * The content of a zip archive that has exactly one entry: a regular file of this name.
 * Nothing is written to a disk, so neither a path nor a link of the archive matters.
 * @param most bytes of the content
 * @throws Error with a clause that says what is wrong: `it has 2 files in place of one`
 */
export async function onlyZipEntry(
  archive: Uint8Array,
  name: string,
  most: number,
): Promise<Buffer> {
  const zip = await fromBufferPromise(Buffer.from(archive)).catch(refuse);
  if (zip.entryCount !== 1)
    throw new Error(`it has ${zip.entryCount} files in place of one`);
  const first = await zip.eachEntry().next().catch(refuse);
  if (first.done) throw new Error("it has no file");
  const entry = first.value;
  if (entry.fileName !== name)
    throw new Error(
      `its file is ${JSON.stringify(entry.fileName.slice(0, 200))}`,
    );
  const kind = (entry.externalFileAttributes >>> 16) & FILE_KIND;
  // Archives of other systems than Unix leave the kind out.
  if (kind !== 0 && kind !== REGULAR)
    throw new Error(`${name} in it is no regular file`);
  // No more than this is unpacked, because a content of another size is an error.
  if (entry.uncompressedSize > most)
    throw new Error(`${name} in it has more than ${most} bytes`);
  return zip.openReadStreamPromise(entry).then(buffer).catch(refuse);
}

function refuse(error: unknown): never {
  const { message } = error as Error;
  throw new Error(`it cannot be unpacked (${message})`, { cause: error });
}
