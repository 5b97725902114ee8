/** Makes work on one thing wait for earlier work on the same thing. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` after all earlier work with the same key has succeeded or failed.
   * Work with other keys runs at the same time.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
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
