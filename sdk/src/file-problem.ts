const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOTDIR: "a part of its path is a file",
  EACCES: "its permissions do not allow it",
  EPERM: "its permissions do not allow it",
  EBADF: "it is not open for that",
  EBUSY: "another program uses it, or it is mounted by itself",
  EEXIST: "something else is there already",
  EIO: "its disk reports an error (EIO)",
  EMFILE: "too many files are open (ulimit -n)",
  ENFILE: "too many files are open on this machine",
  ENODEV: "its device is not there",
  ENXIO: "its device is not there",
  EPIPE: "its reader has closed it",
  ESTALE: "its network file system has lost it",
  ETXTBSY: "it is a program that runs",
  EROFS: "its file system is read-only",
  EFBIG: "it would be larger than a file may be here (ulimit -f)",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
};

/**
 * Why Node could not read or write a file, in plain words: the end of a sentence, without its
 * full stop.
 *
 * @example
 * `${path} cannot be read: ${fileProblem(error, "read")}.`;
 */
export function fileProblem(error: unknown, done: "read" | "written"): string {
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  if (code === undefined) return message;
  if (code !== "ENOENT") return FILE_PROBLEMS[code] ?? code;
  return done === "read" ? "there is no such file" : "its folder is not there";
}
