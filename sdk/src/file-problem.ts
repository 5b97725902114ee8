const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOTDIR: "a part of its path is a file",
  EACCES: "its permissions do not allow it",
  EPERM: "its permissions do not allow it",
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
