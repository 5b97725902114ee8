import { EventEmitter, once } from "node:events";

/**
 * The running deletes of a session. The engine deletes independent resources at the
 * same time. So the delete of an environment waits here until its contents are deleted.
 */
export class Deletions {
  readonly #events = new EventEmitter();
  #running = 0;
  #ended = 0;

  get ended(): number {
    return this.#ended;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#ended += 1;
      this.#stop();
    }
  }

  /**
   * Waits, within a delete, until no other delete runs. Meanwhile the waiting delete does
   * not count as running.
   */
  async settled(signal: AbortSignal): Promise<void> {
    this.#stop();
    try {
      while (this.#running > 0)
        await once(this.#events, "stop", { signal }).catch(() =>
          signal.throwIfAborted(),
        );
    } finally {
      this.#running += 1;
    }
  }

  #stop(): void {
    this.#running -= 1;
    this.#events.emit("stop");
  }
}
