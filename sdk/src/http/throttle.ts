/** A rate that is never reached: calls start at once, and still share the pause after a 429. */
export const UNLIMITED_RATE = 1_000_000;

/** A refusal that comes this much after the last one begins a new row of them, in milliseconds. */
const ROW_ENDS_AFTER_MS = 60_000;

/** How long the service has been refusing all calls with 429. */
export interface Refusals {
  /** 429s in a row; those to calls that were sent together count once. */
  readonly count: number;
  /** Milliseconds since the first of them. */
  readonly sinceMs: number;
}

/** Timers take no more milliseconds. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * A token bucket that lets calls through: those that are repeated first, and each
 * of both kinds in the order they came. A repeated call that waited behind all
 * others would not come to its turn before its time is up.
 *
 * The burst is small on purpose: the service's own bucket holds `rate` tokens
 * and calls bunch up on their way, so the slack between the two is what keeps
 * a long run free of 429.
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
   * Resolves when the caller may send one request; rejects with the signal's
   * reason, at once. `isRepeated`: the caller had its turn before, and tries again.
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
        // A wait for nobody would keep the process running.
        this.#serve();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", leave, { once: true });
      queue.push(go);
      this.#serve();
    });
  }

  /**
   * Milliseconds until a call could go and leave one for whoever comes next; 0: now.
   * It takes nothing. A bucket of one token never has one to spare: Infinity.
   */
  spareInMs(): number {
    if (this.burst < 2) return Infinity;
    this.#refill();
    const queued = this.#repeated.length + this.#first.length;
    const lacking = Math.max(0, 2 + queued - this.#tokens);
    return (lacking / this.rate) * 1000;
  }

  /** Holds everybody back for a while, as after a 429: the service's bucket is empty. */
  drain(pauseMs: number): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 1 - (pauseMs / 1000) * this.rate);
  }

  /**
   * Notes that the service refused a call with 429. All calls together are in one
   * row of refusals, so that their pauses grow together.
   * @param sentAt when the call was sent
   */
  refused(sentAt: number): Refusals {
    const at = this.now();
    if (this.#refusals === 0 || at - this.#lastRefusedAt > ROW_ENDS_AFTER_MS) {
      this.#refusals = 1;
      this.#firstRefusedAt = at;
      this.#lastRefusedAt = at;
    } else if (sentAt >= this.#lastRefusedAt) {
      this.#refusals += 1;
      this.#lastRefusedAt = at;
    }
    return { count: this.#refusals, sinceMs: at - this.#firstRefusedAt };
  }

  /** Notes that the service did not refuse a call: a row of refusals that were sent before it is over. */
  answered(sentAt: number): void {
    if (sentAt >= this.#lastRefusedAt) this.#refusals = 0;
  }

  /** Lets through whoever has a token, and comes again when there is the next one. */
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
