/** Names of errors that say nothing against what was asked: another time it may be answered. */
const PASSING: ReadonlySet<string> = new Set([
  "SearchTimeoutError",
  "ServerError",
  "ThrottledError",
  "UnreachableError",
]);

/** Whether an error of the client may pass by itself. */
export function isPassing(error: unknown): error is Error {
  return error instanceof Error && PASSING.has(error.name);
}
