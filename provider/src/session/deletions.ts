import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds without a running delete after which all deletes count as done. */
const QUIET_MS = 1_000;

/** Milliseconds between two looks at whether a delete still runs. */
const LOOK_MS = 50;

/**
 * The running deletes of a session. The engine deletes independent resources at the
 * same time. So the delete of an environment waits here until its contents are deleted.
 */
export class Deletions {
  #running = 0;
  #ended = 0;
  #endedAt = -Infinity;

  get ended(): number {
    return this.#ended;
  }

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
   * Waits, within a delete, until no other delete has run for one second. Meanwhile the
   * waiting delete does not count as running.
   */
  async settled(signal: AbortSignal): Promise<void> {
    this.#running -= 1;
    try {
      while (this.#running > 0 || performance.now() < this.#endedAt + QUIET_MS)
        await sleep(LOOK_MS, undefined, { signal }).catch(() =>
          signal.throwIfAborted(),
        );
    } finally {
      this.#running += 1;
    }
  }
}
