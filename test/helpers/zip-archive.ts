import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** Kind and permissions, as Unix has them. Default: a regular file. */
  readonly mode?: number;
  /** Default: true. */
  readonly isPacked?: boolean;
  /** The size that the directory names. Default: that of the content. */
  readonly size?: number;
  readonly flags?: number;
}

/** A zip archive, written as the action that keeps artifacts writes it. */
export function zipArchive(...files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const { mode = 0o100644, isPacked = true, flags = 0x800 } = file;
    const name = Buffer.from(file.name);
    const content = Buffer.from(file.content);
    const packed = isPacked ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(isPacked ? 8 : 0, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(file.size ?? content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = [Buffer.from("PK\x03\x04"), shared, name, packed];
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE((mode << 16) >>> 0, 6);
    attributes.writeUInt32LE(at, 10);
    directory.push(
      ...[Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), shared, attributes],
      name,
    );
    locals.push(...local);
    at += local.reduce((sum, { length }) => sum + length, 0);
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, entries, end]);
}
