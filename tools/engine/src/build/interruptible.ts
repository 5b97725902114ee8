import { setTimeout as delay } from "node:timers/promises";

/** More than a signal takes to end the process. */
const ENDING_MS = 1_000;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does work that cleans up behind itself when a person or a pipeline ends the process.
 *
 * The first signal aborts the work's `AbortSignal`; once the work has settled,
 * the process ends by that same signal, as it would have without us.
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
      // The lock listens to signals, too, so this one takes effect a moment later.
      await delay(ENDING_MS);
    }
  }
}
