import {
  END_SIGNALS,
  fileError,
  InterruptedError,
  type EndSignal,
} from "./errors";

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

/** How many `cleaningUp` are running. */
let cleanups = 0;

/** Whether the handlers are those of the process, and what makes them so at the next turn. */
let isHeard = false;
let later: NodeJS.Immediate | undefined;

/**
 * Calls `end`, which reports the error and ends the process, when one of END_SIGNALS
 * arrives. If `interruptible` runs work, the first signal aborts that work instead, so that
 * it can finish cleanly; a second signal ends the process, and work that only reads has a
 * second. Node handles signals between synchronous steps, and would lose one that comes in
 * a step before `calculate`. So the handlers are there only from the next turn of the event
 * loop on, and in `writing`; until then a signal ends the process at once.
 */
export function endOnSignals(end: (error: InterruptedError) => void): void {
  stopHearing();
  for (const signal of END_SIGNALS) {
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
  }
  hearLater();
}

/**
 * Reads or calculates, which may take long. Node hears no signal meanwhile, so its
 * handlers are removed: END_SIGNALS then end the process at once, as they end any
 * other program. Nothing may be written within.
 * @param work may be asynchronous, too, if it calculates between its steps
 */
export function calculate<Result>(work: () => Result): Result {
  calculating();
  let result: Result;
  try {
    result = work();
  } catch (error) {
    calculated();
    throw error;
  }
  if (result instanceof Promise)
    return result.finally(calculated) as typeof result;
  calculated();
  return result;
}

function calculating(): void {
  calculations++;
  if (cleanups === 0) stopHearing();
}

function calculated(): void {
  calculations--;
  hearLater();
}

/** Waits for a person within `calculate`, and hears signals meanwhile. */
export async function hearSignals<Result>(
  wait: () => Promise<Result>,
): Promise<Result> {
  calculations--;
  hear();
  try {
    return await wait();
  } finally {
    calculating();
  }
}

/**
 * Runs work with something that must not be left behind, and calls `clean` once it has
 * ended, also by a signal. A signal in a calculation then waits until that has ended.
 */
export async function cleaningUp<Result>(
  work: () => Promise<Result>,
  clean: () => void,
): Promise<Result> {
  cleanups++;
  hear();
  process.once("exit", clean);
  try {
    return await work();
  } finally {
    process.removeListener("exit", clean);
    cleanups--;
    clean();
  }
}

/**
 * Runs work that writes to a file, which no signal cuts off. Every write of the command line
 * to a file of the user goes through it.
 * @throws UsageError in plain words if the file cannot be written
 */
export function writing<Result>(path: string, write: () => Result): Result {
  hear();
  try {
    return write();
  } catch (error) {
    throw fileError(path, "written", error);
  }
}

/** Waits a turn of the event loop, in which a signal that came during a write is heard. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => setImmediate(resolve));

function hear(): void {
  if (isHeard || (calculations > 0 && cleanups === 0)) return;
  isHeard = true;
  for (const [signal, handler] of handlers) process.on(signal, handler);
}

function hearLater(): void {
  later ??= setImmediate(() => {
    later = undefined;
    hear();
  });
}

function stopHearing(): void {
  clearImmediate(later);
  later = undefined;
  isHeard = false;
  for (const [signal, handler] of handlers) process.off(signal, handler);
}

/**
 * Runs work that has something to finish when the command is interrupted.
 * END_SIGNALS then abort its signal, with an InterruptedError as the
 * reason.
 * @param isRead whether the work only reads, and so need not be waited for
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { isRead = false } = {},
): Promise<Result> {
  const controller = new AbortController();
  hear();
  running = { controller, isRead };
  try {
    return await work(controller.signal);
  } finally {
    running = undefined;
  }
}
