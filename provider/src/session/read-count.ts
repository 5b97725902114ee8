import { setImmediate, setTimeout } from "node:timers";

/** Up to so many reads are few. */
const FEW = 3;

/** How long the first reads wait for others, in ms. */
const WAIT_MS = 50;

/**
 * Tells few reads from those of a large refresh. The engine reads only some
 * resources at a time and does not say how many there will be, so the first
 * reads wait a moment for others. Counted are the reads of a whole session,
 * of every kind, since its last write.
 */
export class ReadCount {
  #count = 0;
  #waiting: ((areFew: boolean) => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Counts a read, and answers whether there are few. */
  add(): Promise<boolean> {
    this.#count += 1;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#count > FEW) this.#decide(false);
      // Behind a turn of the event loop: what has arrived by then counts, too.
      else
        this.#timer ??= setTimeout(
          () => setImmediate(() => this.#decide(true)),
          WAIT_MS,
        );
    });
  }

  /** Starts again from none. */
  reset(): void {
    this.#count = 0;
  }

  #decide(areFew: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve(areFew);
  }
}
