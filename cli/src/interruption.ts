import { InterruptedError, type EndSignal } from "./errors";

const SIGNALS: readonly EndSignal[] = ["SIGINT", "SIGTERM"];

/** Aborts the work that `interruptible` runs; undefined while there is none. */
let controller: AbortController | undefined;

/**
 * Calls `end` when SIGINT or SIGTERM arrives. If `interruptible` runs work, the
 * first signal aborts that work instead, so that it can finish cleanly; a
 * second signal calls `end`. Node handles signals between synchronous steps, so
 * a file that one synchronous call writes is always whole.
 */
export function endOnSignals(end: (error: InterruptedError) => void): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      const error = new InterruptedError(signal);
      if (controller && !controller.signal.aborted) controller.abort(error);
      else end(error);
    });
}

/**
 * Runs work that has something to finish when the command is interrupted.
 * SIGINT and SIGTERM then abort its signal, with an InterruptedError as the
 * reason.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  controller = new AbortController();
  try {
    return await work(controller.signal);
  } finally {
    controller = undefined;
  }
}
