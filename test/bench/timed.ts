/** The result of a call, and its duration in milliseconds. */
export function timed<T>(run: () => T): [ms: number, result: T] {
  const startedAt = performance.now();
  const result = run();
  return [performance.now() - startedAt, result];
}
