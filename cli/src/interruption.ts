import { InterruptedError, type EndSignal } from "./errors";

const SIGNALS: readonly EndSignal[] = ["SIGINT", "SIGTERM"];

/** Aborts the work that `interruptible` runs; undefined while there is none. */
let controller: AbortController | undefined;

/** The handlers of `endOnSignals`. */
const handlers = new Map<EndSignal, () => void>();

/** How many calls of `calculate` are running. */
let calculations = 0;

/**
 * Calls `end` when SIGINT or SIGTERM arrives. If `interruptible` runs work, the
 * first signal aborts that work instead, so that it can finish cleanly; a
 * second signal calls `end`. Node handles signals between synchronous steps, so
 * a file that one synchronous call writes is always whole. `calculate` is for steps that
 * take long.
 */
export function endOnSignals(end: (error: InterruptedError) => void): void {
  for (const signal of SIGNALS) {
    const handler = () => {
      const error = new InterruptedError(signal);
      if (controller && !controller.signal.aborted) controller.abort(error);
      else end(error);
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
