import { nearest } from "./nearest";
import type { Violation } from "./errors";

/** The result of one attempt: an answer, or none. */
export type Outcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** From a Retry-After header, which the service need not send. */
      readonly retryAfterMs?: number;
    }
  | {
      readonly kind: "failure";
      /** `connect`: nothing was sent. `sent`: the service may have read the request. */
      readonly phase: "connect" | "sent";
      /** False where trying again cannot help: a bad certificate, a bad address. */
      readonly transient: boolean;
    };

/** What to do after an attempt. `accept`: the answer, good or bad, is the result. */
export type Decision = "accept" | "retry" | "give-up" | "ambiguous";

/** Bounds of the retries of one call. */
export interface RetryPolicy {
  /**
   * Attempts in all, the first included; at least 1. Where it is not given, attempts
   * that were answered with 429 do not count: the budget alone bounds them.
   */
  readonly maxAttempts: number;
  /**
   * No attempt starts once the attempts and the pauses before it have taken this
   * long. Waits for the client's own throttle do not count.
   */
  readonly budgetMs: number;
  /** Upper bound of the first pause; each further one may be twice as long. */
  readonly baseDelayMs: number;
  /** Upper bound of one pause, before Retry-After. */
  readonly maxDelayMs: number;
}

/** Five attempts within 30 s, pauses up to 0.25, 0.5, 1 and 2 s. After 429: for 30 s, pauses up to 5 s. */
export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  budgetMs: 30_000,
  baseDelayMs: 250,
  maxDelayMs: 5_000,
};

/** The violations in the changes of a policy. */
export function retryViolations(change: unknown): readonly Violation[] {
  if (typeof change !== "object" || change === null)
    return [{ property: "retry", message: "must be an object" }];
  const least: Readonly<Record<keyof RetryPolicy, number>> = {
    maxAttempts: 1,
    budgetMs: 0,
    baseDelayMs: 0,
    maxDelayMs: 0,
  };
  return Object.entries(change).flatMap(([name, value]) => {
    const property = `retry.${name}`;
    if (!Object.hasOwn(least, name)) {
      const known = Object.keys(least);
      const meant = nearest(name, known);
      const message = meant
        ? `is not known; did you mean ${meant}?`
        : `is not known; there are ${known.join(", ")}`;
      return [{ property, message }];
    }
    const bound = least[name as keyof RetryPolicy];
    return value === undefined || (typeof value === "number" && value >= bound)
      ? []
      : [{ property, message: `must be a number of at least ${bound}` }];
  });
}

/** A whole policy. */
export interface AppliedRetryPolicy extends RetryPolicy {
  /**
   * Whether attempts that were answered with 429 count as attempts. They do when
   * `maxAttempts` was given.
   */
  readonly countsThrottled: boolean;
}

/** The default policy with the client's changes, and then the call's. */
export function retryPolicy(
  ...changes: readonly (Partial<RetryPolicy> | undefined)[]
): AppliedRetryPolicy {
  const given = Object.fromEntries(
    changes.flatMap((change) =>
      Object.entries(change ?? {}).filter(([, value]) => value !== undefined),
    ),
  );
  const countsThrottled = given.maxAttempts !== undefined;
  return { ...DEFAULT_RETRY, countsThrottled, ...given };
}

/**
 * How long the service may keep silent within one attempt of a read, in
 * milliseconds: a third of the budget, so that a read whose answer hangs is tried
 * again. Undefined for the last attempt of the budget, which may take its time:
 * some answers are slow.
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
 * Decides what follows an attempt. A call that is not idempotent is repeated
 * only when the service surely did not process it: the connection never came
 * up, or the answer was 429. Cut off after it was sent, or answered with 5xx,
 * it is `ambiguous`.
 */
export function decide(
  outcome: Outcome,
  call: {
    readonly idempotent: boolean;
    readonly finalStatuses?: readonly number[];
    /** How many attempts count, this one included. */
    readonly attempt: number;
    /** What its attempts and the pauses between them took, the next one included. */
    readonly elapsedMs: number;
  },
  policy: RetryPolicy,
): Decision {
  const mayRepeat =
    call.attempt < policy.maxAttempts && call.elapsedMs < policy.budgetMs;
  switch (outcome.kind) {
    case "answer": {
      if (call.finalStatuses?.includes(outcome.status)) return "accept";
      if (outcome.status === 429) return mayRepeat ? "retry" : "accept";
      // 501: the service knows no such call, so it did nothing.
      if (outcome.status < 500 || outcome.status === 501) return "accept";
      if (!call.idempotent) return "ambiguous";
      return mayRepeat ? "retry" : "accept";
    }
    case "failure": {
      if (outcome.phase === "sent" && !call.idempotent) return "ambiguous";
      return mayRepeat && outcome.transient ? "retry" : "give-up";
    }
    default:
      throw new Error(
        `Unknown outcome: ${JSON.stringify(outcome satisfies never)}`,
      );
  }
}

/**
 * Milliseconds to wait before the next attempt: exponential, with full jitter,
 * never below what the service asked for. After 429 it is at least half of the
 * longest that the jitter allows, so that the pauses surely grow.
 * @param attempt number of the attempt that just ended, from 1
 * @param random a number in [0, 1)
 */
export function delay(
  outcome: Outcome,
  attempt: number,
  policy: RetryPolicy,
  random: number,
): number {
  const ceiling = Math.min(
    policy.maxDelayMs,
    policy.baseDelayMs * 2 ** (attempt - 1),
  );
  const asked = outcome.kind === "answer" ? (outcome.retryAfterMs ?? 0) : 0;
  const part = isThrottled(outcome) ? (1 + random) / 2 : random;
  return Math.max(asked, Math.round(ceiling * part));
}

/** Whether the service refused the attempt, because too many came. */
export function isThrottled(outcome: Outcome): boolean {
  return outcome.kind === "answer" && outcome.status === 429;
}

/** Reads a Retry-After header, seconds or an HTTP date; undefined when it says nothing usable. */
export function parseRetryAfter(
  value: string | undefined,
  nowMs: number,
): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
