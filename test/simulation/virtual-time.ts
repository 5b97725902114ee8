import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import promises from "node:timers/promises";

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  sleep: promises.setTimeout,
  now: performance.now.bind(performance),
  dateNow: Date.now,
  timeout: AbortSignal.timeout.bind(AbortSignal),
  random: Math.random,
};

/** Time moves on after this many turns of the event loop without work. */
const QUIET_TURNS = 2;

/** How long a run may stand still without any timer, in real milliseconds. */
const STUCK_MS = 20_000;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/**
 * Time that does not pass by itself. When nothing else is left to do, time jumps to the
 * next timer. So a wait of minutes costs nothing, and a story has the same order of
 * events in each run.
 */
export class VirtualTime {
  #now = 0;
  #order = 0;
  #timers: Timer[] = [];
  #busy = 0;
  #isInstalled = false;

  /** Replaces the timers and clocks of this process. `random` takes the place of `Math.random`. */
  install(random: () => number): void {
    Math.random = random;
    if (this.#isInstalled) return;
    this.#isInstalled = true;
    const start = real.dateNow();
    const set = (
      work: (...args: unknown[]) => void,
      ms = 0,
      ...args: unknown[]
    ) => this.#add(ms, () => work(...args));
    const clear = (timer: unknown) => {
      const left = this.#timers.filter((one) => one !== timer);
      if (left.length === this.#timers.length)
        // The timer was started before the story, for example by an idle connection of
        // another test.
        real.clearTimeout(timer as NodeJS.Timeout);
      this.#timers = left;
    };
    const sleep = <T>(
      ms = 0,
      value?: T,
      { signal }: { signal?: AbortSignal } = {},
    ) =>
      new Promise<T>((resolve, reject) => {
        const fail = () => {
          clear(timer);
          reject(
            Object.assign(new Error("The operation was aborted"), {
              name: "AbortError",
              code: "ABORT_ERR",
              cause: signal?.reason as unknown,
            }),
          );
        };
        const timer = this.#add(ms, () => {
          signal?.removeEventListener("abort", fail);
          resolve(value as T);
        });
        if (signal?.aborted) fail();
        else signal?.addEventListener("abort", fail, { once: true });
      });
    const timeout = (ms: number) => {
      const controller = new AbortController();
      this.#add(ms, () =>
        controller.abort(
          new DOMException(
            "The operation was aborted due to timeout",
            "TimeoutError",
          ),
        ),
      );
      return controller.signal;
    };
    Object.assign(timers, { setTimeout: set, clearTimeout: clear });
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    Object.assign(promises, { setTimeout: sleep });
    performance.now = () => this.#now;
    Date.now = () => start + this.#now;
    AbortSignal.timeout = timeout;
    syncBuiltinESMExports();
  }

  /** Restores the timers and clocks of the process. */
  uninstall(): void {
    if (!this.#isInstalled) return;
    this.#isInstalled = false;
    const { setTimeout, clearTimeout } = real;
    Object.assign(timers, { setTimeout, clearTimeout });
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Object.assign(promises, { setTimeout: real.sleep });
    performance.now = real.now;
    Date.now = real.dateNow;
    AbortSignal.timeout = real.timeout;
    Math.random = real.random;
    syncBuiltinESMExports();
  }

  /** Waits some virtual milliseconds. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#add(ms, resolve));
  }

  /** Does work during which time stands still. */
  async whileStill<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  /**
   * Drops every timer. Code that waits for a timer waits forever, as in a killed
   * process.
   */
  dropTimers(): void {
    this.#timers = [];
  }

  /** Lets time pass until a promise is settled. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => void (isSettled = true);
    promise.then(settle, settle);
    let quiet = 0;
    let stuckSince: number | undefined;
    while (!isSettled) {
      await new Promise<void>((resolve) => real.setImmediate(resolve));
      if (isSettled) break;
      quiet = this.#busy > 0 ? 0 : quiet + 1;
      if (quiet < QUIET_TURNS) continue;
      if (this.#next()) {
        quiet = 0;
        stuckSince = undefined;
      } else {
        stuckSince ??= real.now();
        if (real.now() - stuckSince > STUCK_MS)
          throw new Error("Nothing is left to do, and the work has not ended.");
      }
    }
    return promise;
  }

  #add(ms: number, fire: () => void): Timer {
    const at = this.#now + Math.max(0, Number.isFinite(ms) ? ms : 0);
    const order = this.#order++;
    const timer = {
      at,
      order,
      fire,
      unref: () => timer,
      ref: () => timer,
      hasRef: () => true,
      refresh: () => timer,
      [Symbol.toPrimitive]: () => order,
    };
    this.#timers.push(timer);
    return timer;
  }

  /** Moves on to the next timer, if there is one. */
  #next(): boolean {
    if (this.#timers.length === 0) return false;
    let next = this.#timers[0] as Timer;
    for (const timer of this.#timers)
      if (
        timer.at < next.at ||
        (timer.at === next.at && timer.order < next.order)
      )
        next = timer;
    this.#timers = this.#timers.filter((one) => one !== next);
    this.#now = Math.max(this.#now, next.at);
    next.fire();
    return true;
  }
}
