import { pause } from "../http/abortable";
import { InvalidInputError } from "../http/errors";
import type { CallOptions } from "../http/request";
import { delay, retryPolicy } from "../http/retry";
import { EventNotMutableError } from "./errors";

/**
 * Longest pause between two attempts, in milliseconds. An event becomes mutable within
 * seconds.
 */
const MAX_PAUSE_MS = 2_000;

/** Options of a call that changes an event. */
export interface UpdateOptions extends CallOptions {
  /**
   * How long the call is repeated for an event that is too new, in milliseconds.
   * Default 10 000; 0 tries once.
   */
  readonly deadlineMs?: number | undefined;
}

/**
 * Repeats a change of an event while the event is too new for it, with growing
 * pauses and a last attempt at the deadline (docs/assumptions.md, A51).
 * @throws EventNotMutableError when the event is still too new at the deadline
 */
export async function untilMutable<T>(
  /** The retry policy and the bound of a whole call of the client. */
  client: Pick<CallOptions, "retry" | "timeoutMs">,
  change: (options: CallOptions) => Promise<T>,
  options: UpdateOptions & { readonly operation: string },
): Promise<T> {
  const { deadlineMs = 10_000, signal, retry } = options;
  const { timeoutMs = client.timeoutMs ?? Infinity } = options;
  if (!(deadlineMs >= 0))
    throw new InvalidInputError(options.operation, [
      { property: "deadlineMs", message: "must be a number of at least 0" },
    ]);
  const { maxDelayMs, ...retried } = retryPolicy(client.retry, retry);
  const policy = { ...retried, maxDelayMs: Math.min(maxDelayMs, MAX_PAUSE_MS) };
  const startedAt = performance.now();
  const endsAt = startedAt + Math.min(deadlineMs, timeoutMs);
  let isLast = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const leftMs = startedAt + timeoutMs - performance.now();
      return await change({
        signal,
        retry,
        timeoutMs:
          attempt === 1 || leftMs === Infinity
            ? options.timeoutMs
            : Math.max(1, leftMs),
      });
    } catch (error) {
      const leftMs = endsAt - performance.now();
      if (!(error instanceof EventNotMutableError) || isLast || leftMs <= 0)
        throw error;
      const result = { kind: "answer", status: error.status } as const;
      const wait = delay(result, attempt, policy, Math.random());
      // A timer may fire early, so the flag is set here and not by the clock.
      isLast = wait >= leftMs;
      await pause(Math.min(wait, leftMs), signal);
    }
  }
}
