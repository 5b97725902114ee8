import type { ReadProgress } from "@devid/clone";
import type { ReplayProgress } from "@devid/review/replay";
import { SingleBar, type Options } from "cli-progress";
import { interruptible } from "../interruption";
import { cursorStream } from "./guard-output";

/** Steps of the bar; there are more than columns, so that it moves smoothly. */
const STEPS = 1_000;

const newBar = (format: string, more: Options = {}) =>
  new SingleBar({
    format,
    barsize: 24,
    stream: cursorStream(process.stderr),
    hideCursor: true,
    noTTYOutput: false,
    clearOnComplete: true,
    ...more,
  });

/**
 * Shows on a terminal how many events have been read; elsewhere it shows
 * nothing.
 */
export class EventProgress {
  readonly #bar: SingleBar;
  readonly #beganAt = performance.now();

  /** @param before number of events that an earlier run has read */
  constructor(private readonly before = 0) {
    this.#bar = newBar(
      "{bar} {percentage}%  {events} events, {rate}/s, {eta_formatted} left",
      { etaBuffer: 50 },
    );
    this.#bar.start(STEPS, 0, { events: before, rate: 0 });
  }

  /** Shows the finished share of the work, 0 to 1, and the number of events. */
  show(share: number, events: number): void {
    const seconds = (performance.now() - this.#beganAt) / 1_000;
    const rate = Math.round((events - this.before) / Math.max(0.001, seconds));
    this.#bar.update(share * STEPS, { events, rate });
  }

  stop(): void {
    this.#bar.stop();
  }
}

/**
 * Runs a replay and shows its progress. Ctrl-C or another signal aborts the
 * replay and removes the bar.
 */
export async function withEventProgress<T>(
  work: (
    onProgress: (progress: ReplayProgress) => void,
    signal: AbortSignal,
  ) => Promise<T>,
): Promise<T> {
  return interruptible(async (signal) => {
    const progress = new EventProgress();
    try {
      return await work(
        ({ share, events }) => progress.show(share, events),
        signal,
      );
    } finally {
      progress.stop();
    }
  });
}

/**
 * Runs queries of a warehouse and shows on a terminal which part of the work is done.
 * Ctrl-C or another signal aborts the work and removes the bar.
 */
export async function withQueryProgress<T>(
  work: (query: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: { readonly share: number }) => void;
  }) => Promise<T>,
): Promise<T> {
  return interruptible(async (signal) => {
    const bar = newBar(
      "{bar} {percentage}% of the events, {duration_formatted}",
    );
    bar.start(STEPS, 0);
    try {
      return await work({
        signal,
        onProgress: ({ share }) => bar.update(share * STEPS),
      });
    } finally {
      bar.stop();
    }
  });
}

/**
 * Asks the service about tests and shows on a terminal how many are done.
 * Ctrl-C or another signal aborts the work and removes the bar.
 */
export async function withTestProgress<T>(
  work: (
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ) => Promise<T>,
): Promise<T> {
  return interruptible(async (signal) => {
    const bar = newBar("{bar} {value} of {total} tests, {eta_formatted} left");
    try {
      return await work((done, total) => {
        if (bar.isActive) bar.setTotal(total);
        else bar.start(total, done);
        bar.update(done);
      }, signal);
    } finally {
      bar.stop();
    }
  });
}

/**
 * Shows on standard error how far a workspace has been read, in a line for each
 * kind of object. On a terminal the line counts up; elsewhere it is printed when
 * the kind is complete.
 */
export class ReadProgressLine {
  #last: ReadProgress | undefined;

  constructor(
    private readonly title: string,
    private readonly stream: NodeJS.WriteStream = cursorStream(process.stderr),
  ) {}

  readonly show = (progress: ReadProgress): void => {
    if (this.#last && this.#last.what !== progress.what) this.end();
    this.#last = progress;
    if (this.stream.isTTY) this.stream.write(`\r${this.#text(progress)}`);
  };

  /** Ends the line, because nothing more will be read. */
  end(): void {
    if (!this.#last) return;
    const start = this.stream.isTTY ? "\r" : "";
    this.stream.write(`${start}${this.#text(this.#last)}\n`);
    this.#last = undefined;
  }

  #text({ what, count }: ReadProgress): string {
    return `${this.title} ${what}: ${count}`;
  }
}
