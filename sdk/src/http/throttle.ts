import { createHash } from "node:crypto";
import type { Credential } from "./redact";
import { LONGEST_TIMEOUT_MS } from "./timeouts";

/**
 * A rate that no caller reaches. Calls start at once, but still share the pause after a
 * 429.
 */
export const UNLIMITED_RATE = 1_000_000;

/**
 * A refusal that comes this many milliseconds after the last refusal begins a new
 * series.
 */
const SERIES_ENDS_AFTER_MS = 60_000;

/**
 * A token bucket. Repeated calls go first, then new calls; within each of both groups,
 * calls go in the order in which they came. A repeated call that waited behind all new
 * calls would run out of its retry budget.
 *
 * The burst is small on purpose. The service's own bucket holds `rate` tokens, and
 * calls bunch up on their way. The smaller burst leaves room for this, so that a long
 * run gets no 429.
 */
export class Throttle {
  #tokens: number;
  #filledAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refusals = 0;
  #firstRefusedAt = 0;
  #lastRefusedAt = -Infinity;
  readonly #repeated: (() => void)[] = [];
  readonly #first: (() => void)[] = [];

  constructor(
    /** Tokens a second. */
    readonly rate: number,
    private readonly burst = Math.max(1, Math.floor(rate / 2)),
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#tokens = this.burst;
    this.#filledAt = now();
  }

  /**
   * Resolves when the caller may send one request. Rejects with the signal's reason as
   * soon as the signal is aborted. `isRepeated`: an earlier attempt of this call was
   * sent.
   */
  take(signal?: AbortSignal, isRepeated = false): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const queue = isRepeated ? this.#repeated : this.#first;
    return new Promise<void>((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(go), 1);
        // Clears the timer if nobody waits: it would keep the process running.
        this.#serve();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", leave, { once: true });
      queue.push(go);
      this.#serve();
    });
  }

  /**
   * Empties the bucket and stops all calls for `pauseMs`. After a 429, the service's
   * bucket is empty, too.
   */
  drain(pauseMs: number): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 1 - (pauseMs / 1000) * this.rate);
  }

  /**
   * Notes that the service refused a call with 429. The refusals of all calls are one
   * series, so that their pauses grow together. The 429s of calls that were sent
   * together count once.
   * @param sentAt when the call was sent
   * @returns the number of 429s in a row, and the time since the first one
   */
  refused(sentAt: number): {
    readonly count: number;
    readonly sinceMs: number;
  } {
    const at = this.now();
    if (
      this.#refusals === 0 ||
      at - this.#lastRefusedAt > SERIES_ENDS_AFTER_MS
    ) {
      this.#refusals = 1;
      this.#firstRefusedAt = at;
      this.#lastRefusedAt = at;
    } else if (sentAt >= this.#lastRefusedAt) {
      this.#refusals += 1;
      this.#lastRefusedAt = at;
    }
    return { count: this.#refusals, sinceMs: at - this.#firstRefusedAt };
  }

  /**
   * Notes that the service did not refuse a call. This ends a series of refusals of
   * calls that were sent earlier.
   */
  answered(sentAt: number): void {
    if (sentAt >= this.#lastRefusedAt) this.#refusals = 0;
  }

  /** Lets a waiting call go for each token, and sets a timer for the next token. */
  #serve(): void {
    clearTimeout(this.#timer);
    this.#refill();
    while (this.#tokens >= 1) {
      const go = this.#repeated.shift() ?? this.#first.shift();
      if (!go) return;
      this.#tokens -= 1;
      go();
    }
    if (this.#repeated.length + this.#first.length === 0) return;
    const waitMs = Math.ceil(((1 - this.#tokens) / this.rate) * 1000);
    this.#timer = setTimeout(
      () => this.#serve(),
      Math.min(waitMs, LONGEST_TIMEOUT_MS),
    );
  }

  #refill(): void {
    const at = this.now();
    const gained = ((at - this.#filledAt) / 1000) * this.rate;
    this.#tokens = Math.min(this.burst, this.#tokens + gained);
    this.#filledAt = at;
  }
}

/** By a digest, so that no key outlives its client in memory. */
const throttles = new Map<string, Throttle>();

/**
 * The throttle of a surface at an address, shared by all clients of this process with the
 * same key and rate. The service limits the rate of each surface separately.
 */
export function throttleFor(
  surface: "management" | "events" | "drn",
  url: string,
  key: Credential | undefined,
  rate: number,
): Throttle {
  const { origin } = new URL(url);
  const identity = createHash("sha256")
    .update(JSON.stringify([surface, origin, key?.reveal(), rate]))
    .digest("base64");
  let throttle = throttles.get(identity);
  if (!throttle) throttles.set(identity, (throttle = new Throttle(rate)));
  return throttle;
}
