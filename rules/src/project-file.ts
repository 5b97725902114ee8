import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import {
  dirname,
  isAbsolute,
  join,
  parse,
  relative,
  resolve,
  sep,
} from "node:path";

/** Bytes of the largest rule file, mapping or configuration. 1,000 rules of 1,000 characters each take a quarter of it. */
export const LARGEST_FILE = 4 * 1024 * 1024;

/** A file is not read, because it may hold anything, or too much. The message is the reason. */
export class RefusedFileError extends Error {
  override readonly name = "RefusedFileError";
}

/**
 * Reads a file that a change to a repository can bring: rules, tests, a mapping or a
 * configuration. Only regular files are read, because a pipe or a device could block the
 * caller for ever. A link must stay in the project, because whoever wrote it may not read
 * what the reader may: messages would show the line of a key.
 * @param largestBytes default: 4 MiB
 * @throws RefusedFileError, or Node's error
 */
export function readProjectFile(
  path: string,
  largestBytes = LARGEST_FILE,
): Buffer {
  const whole = resolve(path);
  // A shell names a pipe so: /dev/stdin, /dev/fd/63.
  if (whole.startsWith("/dev/")) refuseOtherThanFile(foundAt(whole));
  const root = projectOf(whole);
  const real = realpathSync(whole);
  if (!isWithin(real, realpathSync(root)))
    throw new RefusedFileError(
      `it is a link that leads out of ${root}; name the file itself`,
    );
  // Without waiting for the other end of a pipe.
  const file = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    refuseOtherThanFile(found);
    if (found.size > largestBytes) throw tooLarge(found.size, largestBytes);
    return readAtMost(file, largestBytes);
  } finally {
    closeSync(file);
  }
}

function refuseOtherThanFile(found: Stats | undefined): void {
  if (found && !found.isFile() && !found.isDirectory())
    throw new RefusedFileError(
      "it is a device, a pipe or a socket, not a file",
    );
}

/**
 * Reads standard input.
 * @param largestBytes default: 4 MiB
 * @throws RefusedFileError, or Node's error
 */
export const readStandardInput = (largestBytes = LARGEST_FILE): Buffer =>
  readAtMost(0, largestBytes);

/** A file of `/proc` has no size, and a file may grow. */
function readAtMost(file: number, largestBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readWaiting(file, chunk);
    if (length === 0) return Buffer.concat(chunks);
    size += length;
    if (size > largestBytes) throw tooLarge(size, largestBytes);
    chunks.push(chunk.subarray(0, length));
  }
}

const CHUNK_BYTES = 64 * 1024;

/** As `readSync`, also of a pipe that another process has made non-blocking. */
function readWaiting(file: number, chunk: Buffer): number {
  for (;;)
    try {
      return readSync(file, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(PAUSE, 0, 0, 10);
    }
}

/** Nobody ever notifies it, so a wait for it lasts the given milliseconds. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

const tooLarge = (size: number, largestBytes: number) =>
  new RefusedFileError(
    `it has ${size} bytes, but at most ${largestBytes} are allowed`,
  );

/**
 * The folder of the project of a file: the repository, else the working folder, else the
 * folder of the file. A link within the project does not change what the project is.
 */
function projectOf(path: string): string {
  const folder = dirname(path);
  const { root } = parse(path);
  let repository: string | undefined;
  let at = root;
  for (const name of folder.slice(root.length).split(sep)) {
    if (repository !== undefined && isLink(join(at, name))) break;
    at = join(at, name);
    if (existsSync(join(at, ".git"))) repository = at;
  }
  return repository ?? (isWithin(path, process.cwd()) ? process.cwd() : folder);
}

const isLink = (path: string) =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function isWithin(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/**
 * What is at a path, behind links; undefined if there is nothing, or if it cannot be known, as
 * below a file. The read or write that follows then says why.
 */
export function foundAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
