/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  error: 1,
  differences: 2,
  unreachable: 3,
} as const;

/** Prints an error for a person, on standard error, and answers the exit code. */
export function reportError(error: unknown): number {
  process.stderr.write(`devid: ${stderrText(error)}\n`);
  const unreachable =
    error instanceof Error && error.name === "UnreachableError";
  return unreachable ? EXIT.unreachable : EXIT.error;
}

/** An error in words, for a report. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Our own errors are written for people, and their names are literal; any other is a defect and shows where it came from. */
function stderrText(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  const isOurs = error.name !== "Error" && !(error.name in globalThis);
  return isOurs ? error.message : (error.stack ?? error.message);
}
