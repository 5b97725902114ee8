import { setTimeout as delay } from "node:timers/promises";

/** Longer than a signal takes to end the process. */
const ENDING_MS = 1_000;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work that cleans up when a person or a pipeline ends the process.
 *
 * The first signal aborts the work's `AbortSignal`. After the work has ended,
 * the same signal ends the process, as if nobody had caught it.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    received ??= signal;
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    if (received !== undefined) {
      process.kill(process.pid, received);
      // The lock also listens for signals, so this signal takes effect slightly
      // later.
      await delay(ENDING_MS);
    }
  }
}
