/** What came of one attempt. */
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
  /** Attempts in all, the first included; at least 1. */
  readonly maxAttempts: number;
  /**
   * No attempt starts once the attempts and the pauses before it have taken this
   * long. Waits for the client's own throttle do not count.
   */
  readonly budgetMs: number;
  /** Mean of the first pause is half of this. */
  readonly baseDelayMs: number;
  /** Upper bound of one pause, before Retry-After. */
  readonly maxDelayMs: number;
}

/** Five attempts within 30 s, pauses up to 0.25, 0.5, 1 and 2 s. */
export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  budgetMs: 30_000,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
};

/** The default policy with what a client changes of it, and with what a call does. */
export function retryPolicy(
  ...changes: readonly (Partial<RetryPolicy> | undefined)[]
): RetryPolicy {
  return Object.assign({}, DEFAULT_RETRY, ...changes) as RetryPolicy;
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
 * never below what the service asked for.
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
  return Math.max(asked, Math.round(ceiling * random));
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
