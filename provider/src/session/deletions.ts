import { setTimeout as sleep } from "node:timers/promises";

/** How long no delete may run before all are taken for done, in ms. */
const QUIET_MS = 1_000;

/** How often is looked whether deletes still run, in ms. */
const LOOK_MS = 50;

/**
 * The deletes of a session. The engine deletes a resource after those that refer to
 * it, and all others at the same time. So the delete of an object that holds others
 * waits here for theirs.
 */
export class Deletions {
  #running = 0;
  #waiting = 0;
  #ended = 0;
  #endedAt = -Infinity;

  /** How many deletes have ended. */
  get ended(): number {
    return this.#ended;
  }

  /** Runs the delete of one object. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#ended += 1;
      this.#endedAt = performance.now();
    }
  }

  /**
   * Waits, within a delete, until no other one has run for a second; where none has
   * for so long, it does not wait. Deletes that wait here themselves do not count.
   */
  async settled(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      while (!this.#isQuiet()) {
        await sleep(LOOK_MS, undefined, { signal }).catch(() =>
          signal.throwIfAborted(),
        );
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  #isQuiet(): boolean {
    const runs = this.#running > this.#waiting;
    return !runs && performance.now() - this.#endedAt >= QUIET_MS;
  }
}
