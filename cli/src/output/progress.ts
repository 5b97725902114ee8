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
 * Runs work with a bar, and removes the bar at its end. Ctrl-C or another signal aborts the
 * work.
 */
const withBar = <Bar extends { stop(): void }, T>(
  bar: () => Bar,
  work: (bar: Bar, signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  interruptible(
    async (signal) => {
      const shown = bar();
      try {
        return await work(shown, signal);
      } finally {
        shown.stop();
      }
    },
    { isRead: true },
  );

/** Runs a replay and shows its progress, as `withBar` does. */
export const withEventProgress = <T>(
  work: (
    onProgress: (progress: ReplayProgress) => void,
    signal: AbortSignal,
  ) => Promise<T>,
): Promise<T> =>
  withBar(
    () => new EventProgress(),
    (bar, signal) =>
      work(({ share, events }) => bar.show(share, events), signal),
  );

/**
 * Runs queries of a warehouse and shows on a terminal which part of the work is done, as
 * `withBar` does.
 */
export const withQueryProgress = <T>(
  work: (query: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: { readonly share: number }) => void;
  }) => Promise<T>,
): Promise<T> =>
  withBar(
    () => newBar("{bar} {percentage}% of the events, {duration_formatted}"),
    (bar, signal) => {
      bar.start(STEPS, 0);
      const onProgress = ({ share }: { readonly share: number }) =>
        bar.update(share * STEPS);
      return work({ signal, onProgress });
    },
  );

/**
 * Asks the service about tests and shows on a terminal how many are done, as `withBar`
 * does.
 */
export const withTestProgress = <T>(
  work: (
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ) => Promise<T>,
): Promise<T> =>
  withBar(
    () => newBar("{bar} {value} of {total} tests, {eta_formatted} left"),
    (bar, signal) =>
      work((done, total) => {
        if (bar.isActive) bar.setTotal(total);
        else bar.start(total, done);
        bar.update(done);
      }, signal),
  );

/**
 * Runs work that reads a workspace, and shows on standard error how far it is, in a line
 * for each kind of object. On a terminal the line counts up; elsewhere it is printed when
 * the kind is complete.
 */
export async function withReadProgress<T>(
  title: string,
  work: (onProgress: (progress: ReadProgress) => void) => Promise<T>,
): Promise<T> {
  const stream = cursorStream(process.stderr);
  const start = stream.isTTY ? "\r" : "";
  let last: ReadProgress | undefined;
  const textOf = ({ what, count }: ReadProgress) =>
    `${start}${title} ${what}: ${count}`;
  const end = () => last && stream.write(`${textOf(last)}\n`);
  try {
    return await work((progress) => {
      if (last?.what !== progress.what) end();
      last = progress;
      if (stream.isTTY) stream.write(textOf(progress));
    });
  } finally {
    end();
  }
}
