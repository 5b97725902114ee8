import { DevidError, UnreachableError } from "@devid/sdk";

/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  error: 1,
  differences: 2,
  unreachable: 3,
} as const;

/** Prints an error for a person, on standard error, and answers the exit code. */
export function reportError(error: unknown): number {
  const expected =
    error instanceof DevidError ||
    (error instanceof Error && error.name === "StartError");
  const text =
    error instanceof Error
      ? expected
        ? error.message
        : (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`devid: ${text}\n`);
  return error instanceof UnreachableError ? EXIT.unreachable : EXIT.error;
}
