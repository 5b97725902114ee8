import { constants } from "node:os";

/**
 * A command cannot do what the user asked; the message says why, and what to do
 * instead.
 */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file",
  EACCES: "its permissions do not allow it",
  EPERM: "its permissions do not allow it",
  EROFS: "its file system is read-only",
  EFBIG: "it would be larger than a file may be here (ulimit -f)",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
};

/** Says of a file in plain words why Node could not read or write it. */
export function fileError(
  path: string,
  done: "read" | "written",
  error: unknown,
): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  const absent =
    done === "read" ? "there is no such file" : "its folder is not there";
  const reason =
    code === undefined
      ? message
      : code === "ENOENT"
        ? absent
        : (FILE_PROBLEMS[code] ?? code);
  return new UsageError(`${path} cannot be ${done}: ${reason}.`);
}

/** The value of JSON; undefined for another text. The parser's message may quote a secret. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes to a file.
 * @throws UsageError in plain words if that fails
 */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw fileError(path, "written", error);
  }
}

/** A signal by which a person or a pipeline asks a command to end. */
export type EndSignal = "SIGINT" | "SIGTERM";

/** A signal ended the command before its work was done. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  /**
   * The exit code that shells use for the signal: 130 for SIGINT, 143 for
   * SIGTERM.
   */
  readonly exitCode: number;

  /** @param howToContinue a sentence that says what is unfinished and how to continue */
  constructor(
    readonly signal: EndSignal,
    howToContinue = "",
  ) {
    super(`Stopped by ${signal}. ${howToContinue}`.trimEnd());
    this.exitCode = 128 + constants.signals[signal];
  }
}
