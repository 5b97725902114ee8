/** Time limits of one attempt, in milliseconds. */
export interface Timeouts {
  readonly connectTimeoutMs: number;
  /** From the request's end to the answer's headers. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyTimeoutMs: number;
  /** From the beginning to the end of the answer's body, however it comes. */
  readonly attemptTimeoutMs: number;
}

/** Some members of an object. A member that is undefined counts as left out. */
export type Some<T> = { readonly [N in keyof T]?: T[N] | undefined };

/**
 * In bytes. A page of events has some MB. The service never sends a longer body.
 */
export const LONGEST_ANSWER = 64 * 1024 * 1024;

/** The longest delay of a timer, in milliseconds: 24 days. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Whether a value is a time limit. */
export const isAboveZero = (ms: unknown) => typeof ms === "number" && ms > 0;

/** A time as timers take it: whole milliseconds, and at most their longest delay. */
export const timerMs = (ms: number) =>
  Math.min(Math.ceil(ms), LONGEST_TIMEOUT_MS);

/** The limits as timers take them, with the default of each limit that is left out or undefined. */
export function timeoutsOf(given: Some<Timeouts> = {}): Timeouts {
  const set = Object.entries(given).flatMap(([name, ms]) =>
    ms === undefined ? [] : [[name, timerMs(ms)] as const],
  );
  return { ...DEFAULT_TIMEOUTS, ...Object.fromEntries(set) };
}

/** 10 s to connect, 30 s for headers, 30 s between two pieces of the body, 120 s in all. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  attemptTimeoutMs: 120_000,
};
