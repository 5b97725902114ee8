import { pause, unlessAborted } from "./abortable";

/**
 * A token bucket that lets calls through in the order they came.
 *
 * The burst is small on purpose: the service's own bucket holds `rate` tokens
 * and calls bunch up on their way, so the slack between the two is what keeps
 * a long run free of 429.
 */
export class Throttle {
  #tokens: number;
  #filledAt: number;
  #tail: Promise<void> = Promise.resolve();

  constructor(
    /** Tokens a second. */
    readonly rate: number,
    private readonly burst = Math.max(1, Math.floor(rate / 2)),
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#tokens = this.burst;
    this.#filledAt = now();
  }

  /** Resolves when the caller may send one request; rejects with the signal's reason, at once. */
  take(signal?: AbortSignal): Promise<void> {
    const turn = this.#tail.then(() => this.#takeNow(signal));
    // An aborted caller must not break the queue behind it.
    this.#tail = turn.catch(() => undefined);
    return unlessAborted(turn, signal);
  }

  /** Holds everybody back for a while, as after a 429: the service's bucket is empty. */
  drain(pauseMs: number): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 1 - (pauseMs / 1000) * this.rate);
  }

  async #takeNow(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      this.#refill();
      if (this.#tokens >= 1) break;
      const waitMs = Math.ceil(((1 - this.#tokens) / this.rate) * 1000);
      await pause(waitMs, signal);
    }
    this.#tokens -= 1;
  }

  #refill(): void {
    const at = this.now();
    const gained = ((at - this.#filledAt) / 1000) * this.rate;
    this.#tokens = Math.min(this.burst, this.#tokens + gained);
    this.#filledAt = at;
  }
}

/** Whose calls share a throttle. */
export interface ThrottleScope {
  /** The service counts each surface on its own: `management`, `events`, `drn`. */
  readonly surface: string;
  readonly origin: string;
  readonly key: string;
}

const throttles = new Map<string, Throttle>();

/** The throttle of one scope, shared by every client of this process that uses it with that rate. */
export function throttleFor(
  { surface, origin, key }: ThrottleScope,
  rate: number,
): Throttle {
  const identity = JSON.stringify([surface, origin, key, rate]);
  let throttle = throttles.get(identity);
  if (!throttle) throttles.set(identity, (throttle = new Throttle(rate)));
  return throttle;
}
