import { setTimeout as sleep } from "node:timers/promises";
import { timerMs } from "./timeouts";

/** Waits, at most for the longest delay of a timer. Rejects with the signal's reason as soon as the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(timerMs(ms), undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}

/** The work. If the signal is aborted first, the promise rejects at once with its reason. */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort);
    void work
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Whether a value is an AbortSignal, of this realm or of another. */
export const isAbortSignal = (value: unknown): value is AbortSignal =>
  Object.prototype.toString.call(value) === "[object AbortSignal]";

/** A signal that is aborted as soon as one of the given signals is aborted. */
export function anySignal(
  ...given: readonly (AbortSignal | undefined)[]
): AbortSignal | undefined {
  const signals = given.filter((signal) => signal !== undefined);
  return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
}
