import { nearest } from "./nearest";
import type { Violation } from "./errors";
import type { Some } from "./timeouts";

/** The result of one attempt: an answer, or a failure without an answer. */
export type AttemptResult =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** From the Retry-After header. Absent if the answer has none. */
      readonly retryAfterMs?: number;
    }
  | {
      readonly kind: "failure";
      /** `connect`: nothing was sent. `sent`: the service may have read the request. */
      readonly phase: "connect" | "sent";
      /** False if another attempt cannot help: a bad certificate, a bad address. */
      readonly transient: boolean;
    };

/**
 * What to do after an attempt. `accept`: the answer is the result, even if it is an
 * error.
 */
export type Decision = "accept" | "retry" | "give-up" | "ambiguous";

/** Bounds of the retries of one call. */
export interface RetryPolicy {
  /**
   * Number of attempts, the first included; at least 1. If a caller does not set it,
   * attempts that were answered with 429, or with 409 for an event that is too new to
   * be changed, do not count, and only `budgetMs` bounds them.
   */
  readonly maxAttempts: number;
  /**
   * No attempt starts after earlier attempts and pauses have taken this long. Waits for
   * the client's own throttle do not count.
   */
  readonly budgetMs: number;
  /** Upper bound of the first pause. The bound doubles with each further pause. */
  readonly baseDelayMs: number;
  /** Upper bound of one pause. A Retry-After header may make a pause longer. */
  readonly maxDelayMs: number;
}

/**
 * Five attempts within 30 s, with pauses of up to 0.25, 0.5, 1 and 2 s. After 429,
 * attempts go on for 30 s, with pauses of up to 5 s.
 */
export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  budgetMs: 30_000,
  baseDelayMs: 250,
  maxDelayMs: 5_000,
};

/** The violations in the changes of a policy. */
export function retryViolations(change: unknown = {}): readonly Violation[] {
  if (typeof change !== "object" || change === null)
    return [{ property: "retry", message: "must be an object" }];
  return Object.entries(change).flatMap(([name, value]) => {
    const property = `retry.${name}`;
    if (!Object.hasOwn(DEFAULT_RETRY, name)) {
      const known = Object.keys(DEFAULT_RETRY);
      const meant = nearest(name, known);
      const message = meant
        ? `is not known; did you mean ${meant}?`
        : `is not known; there are ${known.join(", ")}`;
      return [{ property, message }];
    }
    const bound = name === "maxAttempts" ? 1 : 0;
    return value === undefined || (typeof value === "number" && value >= bound)
      ? []
      : [{ property, message: `must be a number of at least ${bound}` }];
  });
}

/** A whole policy. */
export interface AppliedRetryPolicy extends RetryPolicy {
  /**
   * Whether attempts that came too early, or were answered with 429, count as attempts.
   * True if a caller set `maxAttempts`.
   */
  readonly countsAll: boolean;
}

/** The default policy, changed by the client's options and then by the call's. */
export function retryPolicy(
  ...changes: readonly (Some<RetryPolicy> | undefined)[]
): AppliedRetryPolicy {
  const given = Object.fromEntries(
    changes.flatMap((change) =>
      Object.entries(change ?? {}).filter(([, value]) => value !== undefined),
    ),
  );
  const countsAll = given.maxAttempts !== undefined;
  return { ...DEFAULT_RETRY, countsAll, ...given };
}

/**
 * How long the service may send nothing within one attempt of a read, in milliseconds.
 * This is a third of the budget, so that a read whose answer hangs is tried again.
 * Undefined for the last attempt of the budget, because some answers are slow.
 */
export function silenceMs(
  call: { readonly attempt: number; readonly elapsedMs: number },
  policy: RetryPolicy,
): number | undefined {
  const share = policy.budgetMs / 3;
  const isLast =
    call.attempt >= policy.maxAttempts ||
    call.elapsedMs + share >= policy.budgetMs;
  return isLast ? undefined : Math.ceil(share);
}

/**
 * Decides what follows an attempt. A call that is not idempotent is repeated only if
 * the service surely did not process it: there was no connection, or the answer was
 * 429 or says that the call came too early. If the call was cut off after it was sent,
 * or was answered with 5xx, the decision is `ambiguous`.
 */
export function decide(
  result: AttemptResult,
  call: {
    readonly idempotent: boolean;
    readonly finalStatuses?: readonly number[];
    readonly earlyStatuses?: readonly number[];
    /** Number of attempts that count, this one included. */
    readonly attempt: number;
    /** Duration of the attempts and pauses so far, plus the next pause. */
    readonly elapsedMs: number;
  },
  policy: RetryPolicy,
): Decision {
  const mayRepeat =
    call.attempt < policy.maxAttempts && call.elapsedMs < policy.budgetMs;
  if (result.kind === "failure") {
    if (result.phase === "sent" && !call.idempotent) return "ambiguous";
    return mayRepeat && result.transient ? "retry" : "give-up";
  }
  const { status } = result;
  // 501: the service does not have this call, so the call did nothing.
  const isFailure = status >= 500 && status !== 501;
  const isRefused = status === 429 || call.earlyStatuses?.includes(status);
  if (call.finalStatuses?.includes(status) || !(isFailure || isRefused))
    return "accept";
  if (isFailure && !call.idempotent) return "ambiguous";
  return mayRepeat ? "retry" : "accept";
}

/**
 * Milliseconds to wait before the next attempt: exponential backoff with full jitter,
 * and at least as long as Retry-After asks for. After 429 a pause is at least half of
 * its upper bound, so that pauses surely grow.
 * @param attempt number of the attempt that just ended, from 1
 * @param random a number in [0, 1)
 */
export function delay(
  result: AttemptResult,
  attempt: number,
  policy: RetryPolicy,
  random: number,
): number {
  const ceiling = Math.min(
    policy.maxDelayMs,
    policy.baseDelayMs * 2 ** (attempt - 1),
  );
  const asked = result.kind === "answer" ? (result.retryAfterMs ?? 0) : 0;
  const part = isThrottled(result) ? (1 + random) / 2 : random;
  return Math.max(asked, Math.round(ceiling * part));
}

/** Whether the service refused the attempt because of its rate limit. */
export function isThrottled(result: AttemptResult): boolean {
  return result.kind === "answer" && result.status === 429;
}

/**
 * The pause that the Retry-After header of an answer asks for, in milliseconds: seconds, at
 * most nine digits (31 years), or an HTTP date, which is read by the clock of the service, as
 * this machine's may differ from it. Undefined for any other value.
 */
export function retryAfterMs({
  "retry-after": value,
  date,
}: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  // `Date.parse` also reads "1.5" and "-1" as dates. An HTTP date begins with a weekday.
  const at = /^[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at)
    ? undefined
    : Math.max(0, at - (Date.parse(String(date)) || Date.now()));
}
