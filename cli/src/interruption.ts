import { InterruptedError, type EndSignal } from "./errors";

const SIGNALS: readonly EndSignal[] = ["SIGINT", "SIGTERM"];

/** Ends work that cleans up behind itself; undefined while there is none. */
let controller: AbortController | undefined;

/**
 * Calls `end` when SIGINT or SIGTERM arrives. Work within `interruptible` is
 * aborted instead, and may then end in its own way; a second signal ends it at
 * once. Files that are written in one synchronous go are always whole, for
 * signals are handled in between.
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
 * Does work that has something to finish when the command is interrupted. Its
 * signal then aborts, and its reason is an InterruptedError.
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
