import type { RuleFileProblem } from "@devid/rules";
import { InterruptedError } from "../errors";

/**
 * The exit codes of all commands. An interrupted command ends with 130 or 143
 * (InterruptedError).
 */
export const EXIT = {
  ok: 0,
  error: 1,
  differences: 2,
  unreachable: 3,
} as const;

/**
 * Fields of our errors that the JSON of an error includes; none of them holds a
 * secret.
 */
const DETAILS: ReadonlySet<string> = new Set([
  "path",
  "problems",
  "operation",
  "status",
  "code",
  "requestId",
  "violations",
]);

/**
 * Prints an error on standard error and returns the exit code. The error is
 * text for people, or one line of JSON:
 * `{"version":1,"error":{"name","message","exitCode",...}}`. An error in a file also has
 * `line`, `column` and `end`.
 */
export function reportError(error: unknown, { json = false } = {}): number {
  const exitCode = exitCodeOf(error);
  process.stderr.write(
    json
      ? `${JSON.stringify({ version: 1, error: errorObject(error, exitCode) })}\n`
      : `devid: ${stderrText(error)}\n`,
  );
  return exitCode;
}

/** The message of an error, for a report. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The exit code of a command that an error ended. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InterruptedError) return error.exitCode;
  const isUnreachable =
    error instanceof Error && error.name === "UnreachableError";
  return isUnreachable ? EXIT.unreachable : EXIT.error;
}

function errorObject(error: unknown, exitCode: number) {
  const message = errorText(error);
  if (!(error instanceof Error)) return { name: "Error", message, exitCode };
  const { name, stack } = error;
  if (!isOurs(error)) return { name, message, exitCode, stack };
  const { problems = [] } = error as { problems?: readonly RuleFileProblem[] };
  const [first] = problems;
  const details = Object.entries(error).filter(([name]) => DETAILS.has(name));
  return {
    ...{ name, message, exitCode },
    // An error's place in a file is that of its first problem.
    ...(first && { line: first.line, column: first.column, end: first.end }),
    ...Object.fromEntries(details),
  };
}

/**
 * The text for standard error. Our own errors are written for people; any other
 * error is a defect, so its stack is shown.
 */
function stderrText(error: unknown): string {
  if (!(error instanceof Error) || isOurs(error)) return errorText(error);
  return error.stack ?? error.message;
}

/**
 * Whether an error is thrown on purpose: each of our error classes has its own
 * name.
 */
function isOurs({ name }: Error): boolean {
  return name !== "Error" && !(name in globalThis);
}
