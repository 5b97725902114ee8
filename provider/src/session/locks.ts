/** Lets work on one thing wait for earlier work on it. */
export class Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Does work when all earlier work of the same key has ended, well or not;
   * work of other keys goes on meanwhile.
   */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#last.get(key) ?? Promise.resolve();
    const done = earlier.then(work);
    const ended = done.catch(() => undefined);
    this.#last.set(key, ended);
    try {
      return await done;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
