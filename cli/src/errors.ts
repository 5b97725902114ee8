import { existsSync } from "node:fs";
import { constants } from "node:os";
import { isAbsolute } from "node:path";
import { fileProblem } from "@devid/sdk/errors";

/**
 * A command cannot do what the user asked; the message says why, and what to do
 * instead.
 */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** Says of a file in plain words why Node could not read or write it. */
export function fileError(
  path: string,
  done: "read" | "written",
  error: unknown,
): UsageError {
  if (path === "")
    return new UsageError(
      `The name of the file to be ${done} is empty: is a variable not set?`,
    );
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  const problem =
    (isMissing && !isAbsolute(path) && folderProblem()) ||
    fileProblem(error, done);
  return new UsageError(`${path} cannot be ${done}: ${problem}.`);
}

/** Why no relative path leads to a file; undefined in a folder as usual. */
function folderProblem(): string | undefined {
  try {
    // Node knows the name as text only.
    return existsSync(process.cwd())
      ? undefined
      : "the name of the working folder is not UTF-8; rename it, or work in another one";
  } catch {
    return "the working folder is gone; change to another one";
  }
}

/** The value of JSON; undefined for another text. The parser's message may quote a secret. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The signals that ask a command to end: Ctrl-C, a pipeline, and a terminal that closes. */
export const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** A signal ended the command before its work was done. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  /**
   * The exit code that shells use for the signal: 130 for SIGINT, 143 for
   * SIGTERM, 129 for SIGHUP.
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
