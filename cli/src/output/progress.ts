import type { ReadProgress } from "@devid/clone";
import { SingleBar } from "cli-progress";
import { interruptible } from "../interruption";
import { cursorStream } from "./guard-output";

/** Steps of the bar; there are more than columns, so that it moves smoothly. */
const STEPS = 1_000;

/** What stands beside the bar. */
const WORDS = {
  events: "{percentage}%  {events} events, {rate}/s, {eta_formatted} left",
  queries: "{percentage}% of the events, {duration_formatted}",
  tests: "{done} of {all} tests, {eta_formatted} left",
};

/** Which share of the work is done, 0 to 1, and counts for the words. */
type Done = Readonly<
  { share: number } & Partial<Record<"events" | "done" | "all", number>>
>;

/** Shows on a terminal how far work is; elsewhere it shows nothing. */
export class Progress {
  readonly #bar: SingleBar;
  readonly #beganAt = performance.now();
  #isOver = false;

  /** @param before number of events that an earlier run has read */
  constructor(
    words: keyof typeof WORDS,
    private readonly before = 0,
  ) {
    this.#bar = new SingleBar({
      format: `{bar} ${WORDS[words]}`,
      barsize: 24,
      stream: cursorStream(process.stderr),
      hideCursor: true,
      noTTYOutput: false,
      clearOnComplete: true,
      etaBuffer: 50,
    });
    // How many tests there are is said with the first of them.
    if (words !== "tests") this.show({ share: 0, events: before });
  }

  /** Shows nothing once the bar is removed: work that has failed may still have parts on their way. */
  show({ share, events = 0, ...counts }: Done): void {
    if (this.#isOver) return;
    const seconds = (performance.now() - this.#beganAt) / 1_000;
    const rate = Math.round((events - this.before) / Math.max(0.001, seconds));
    const beside = { events, rate, ...counts };
    if (this.#bar.isActive) this.#bar.update(share * STEPS, beside);
    else this.#bar.start(STEPS, share * STEPS, beside);
  }

  stop(): void {
    this.#isOver = true;
    this.#bar.stop();
  }
}

/**
 * Runs work that only reads with a bar, and removes the bar at its end. Ctrl-C or another
 * signal aborts the work.
 */
export const withProgress = <T>(
  words: keyof typeof WORDS,
  work: (progress: {
    readonly signal: AbortSignal;
    readonly onProgress: (done: Done) => void;
  }) => Promise<T>,
): Promise<T> =>
  interruptible(
    async (signal) => {
      const bar = new Progress(words);
      try {
        return await work({ signal, onProgress: (done) => bar.show(done) });
      } finally {
        bar.stop();
      }
    },
    { isRead: true },
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
