/** What a call gives back, and how many milliseconds it took. */
export function timed<T>(run: () => T): [ms: number, result: T] {
  const startedAt = performance.now();
  const result = run();
  return [performance.now() - startedAt, result];
}
