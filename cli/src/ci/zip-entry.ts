import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
/** Bytes of the record at the end, without its comment. */
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** Bytes of the comment behind the record. */
const MOST_COMMENT = 65_535;

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/** The kind of file in the upper half of the attributes: S_IFMT, S_IFREG. */
const FILE_KIND = 0o170000;
const REGULAR = 0o100000;

/**
 * The content of a zip archive that has exactly one entry: a regular file of this name.
 * Nothing is written to a disk, so neither a path nor a link of the archive matters.
 * @param most bytes of the content
 * @throws Error with a clause that says what is wrong: `it is no zip archive`
 */
export function onlyZipEntry(
  archive: Uint8Array,
  name: string,
  most: number,
): Buffer {
  const bytes = Buffer.from(archive);
  try {
    return entryOf(bytes, name, most);
  } catch (error) {
    // The offsets of a damaged archive lead behind its end.
    if (error instanceof RangeError)
      throw new Error("it is no whole zip archive", { cause: error });
    throw error;
  }
}

function entryOf(bytes: Buffer, name: string, most: number): Buffer {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const at = bytes.readUInt32LE(end + 16);
  if (count !== 1) throw new Error(`it has ${count} files in place of one`);
  if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY)
    throw new Error("its directory is damaged");
  const flags = bytes.readUInt16LE(at + 8);
  const method = bytes.readUInt16LE(at + 10);
  const packed = bytes.readUInt32LE(at + 20);
  const size = bytes.readUInt32LE(at + 24);
  const nameLength = bytes.readUInt16LE(at + 28);
  const kind = (bytes.readUInt32LE(at + 38) >>> 16) & FILE_KIND;
  const local = bytes.readUInt32LE(at + 42);
  const nameAt = at + ENTRY_LENGTH;
  const found = bytes.toString("utf8", nameAt, nameAt + nameLength);
  if (found !== name)
    throw new Error(`its file is ${JSON.stringify(found.slice(0, 200))}`);
  // Archives of other systems than Unix leave the kind out.
  if (kind !== 0 && kind !== REGULAR)
    throw new Error(`${name} in it is no regular file`);
  if ((flags & ENCRYPTED) !== 0) throw new Error("it is encrypted");
  if (size > most) throw new Error(`${name} in it has more than ${most} bytes`);
  if (bytes.readUInt32LE(local) !== LOCAL_ENTRY)
    throw new Error("its file is damaged");
  const start =
    local +
    LOCAL_LENGTH +
    bytes.readUInt16LE(local + 26) +
    bytes.readUInt16LE(local + 28);
  const content = unpacked(bytes.subarray(start, start + packed), method, most);
  if (content.length !== size) throw new Error(`${name} in it is damaged`);
  return content;
}

function unpacked(packed: Buffer, method: number, most: number): Buffer {
  if (method === STORED) return packed;
  if (method !== DEFLATED)
    throw new Error(`it is packed by the unknown method ${method}`);
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch (error) {
    throw new Error("it cannot be unpacked within its bounds", {
      cause: error,
    });
  }
}

/** The place of the record at the end, which a comment may follow. */
function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_LENGTH - MOST_COMMENT);
  for (let at = bytes.length - END_LENGTH; at >= first; at -= 1)
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  throw new Error("it is no zip archive");
}
