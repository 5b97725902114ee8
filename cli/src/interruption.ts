import { InterruptedError, type EndSignal } from "./errors";

const SIGNALS: readonly EndSignal[] = ["SIGINT", "SIGTERM"];

/** How long work that only reads may take to end after a signal. */
const GRACE_MS = 1_000;

/** The work that `interruptible` runs; undefined while there is none. */
let running:
  | { readonly controller: AbortController; readonly isRead: boolean }
  | undefined;

/** The handlers of `endOnSignals`. */
const handlers = new Map<EndSignal, () => void>();

/** How many calls of `calculate` are running. */
let calculations = 0;

/**
 * Calls `end`, which reports the error and ends the process, when SIGINT or SIGTERM
 * arrives. If `interruptible` runs work, the first signal aborts that work instead, so that
 * it can finish cleanly; a second signal ends the process, and work that only reads has a
 * second. Node handles signals between synchronous steps, so
 * a file that one synchronous call writes is always whole. `calculate` is for steps that
 * take long.
 */
export function endOnSignals(end: (error: InterruptedError) => void): void {
  for (const signal of SIGNALS) {
    const handler = () => {
      const error = new InterruptedError(signal);
      if (!running) return end(error);
      const { controller, isRead } = running;
      const endNow = () => {
        // Node's own end would wait for a thread of DuckDB, which may wait for a pipe.
        if (isRead)
          process.once("exit", () => {
            stopHearing();
            process.kill(process.pid, signal);
          });
        end(error);
      };
      if (controller.signal.aborted) return endNow();
      controller.abort(error);
      if (isRead) setTimeout(endNow, GRACE_MS).unref();
    };
    handlers.set(signal, handler);
    process.on(signal, handler);
  }
}

/**
 * Reads or calculates, which may take long. Node hears no signal meanwhile, so its
 * handlers are removed: SIGINT and SIGTERM then end the process at once, as they end any
 * other program. Nothing may be written within.
 * @param work may be asynchronous, too, if it calculates between its steps
 */
export function calculate<Result>(work: () => Result): Result {
  stopHearing();
  let result: Result;
  try {
    result = work();
  } catch (error) {
    hearAgain();
    throw error;
  }
  if (result instanceof Promise)
    return result.finally(hearAgain) as typeof result;
  hearAgain();
  return result;
}

/** Waits for a person within `calculate`: the handlers of signals are there again. */
export async function hearSignals<Result>(
  wait: () => Promise<Result>,
): Promise<Result> {
  hearAgain();
  try {
    return await wait();
  } finally {
    stopHearing();
  }
}

function stopHearing(): void {
  if (calculations++ === 0)
    for (const [signal, handler] of handlers) process.off(signal, handler);
}

function hearAgain(): void {
  if (--calculations === 0)
    for (const [signal, handler] of handlers) process.on(signal, handler);
}

/**
 * Runs work that has something to finish when the command is interrupted.
 * SIGINT and SIGTERM then abort its signal, with an InterruptedError as the
 * reason.
 * @param isRead whether the work only reads, and so need not be waited for
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { isRead = false } = {},
): Promise<Result> {
  const controller = new AbortController();
  running = { controller, isRead };
  try {
    return await work(controller.signal);
  } finally {
    running = undefined;
  }
}
