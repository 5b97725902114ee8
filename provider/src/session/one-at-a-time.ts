const last = new Map<string, Promise<unknown>>();

/**
 * Does work when all earlier work of the same key, in this process, has ended,
 * well or not; work of other keys goes on meanwhile.
 */
export async function oneAtATime<T>(
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const earlier = last.get(key) ?? Promise.resolve();
  const done = earlier.then(work);
  const ended = done.catch(() => undefined);
  last.set(key, ended);
  try {
    return await done;
  } finally {
    if (last.get(key) === ended) last.delete(key);
  }
}
