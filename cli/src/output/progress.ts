import type { ReadProgress } from "@devid/pulumi/clone";
import type { ReplayProgress } from "@devid/rules/replay";
import { SingleBar } from "cli-progress";
import { interruptible } from "../interruption";

/** Steps of the bar: more than it has columns. */
const STEPS = 1_000;

/** Shows on a terminal how far a walk through events has come; elsewhere nothing. */
export class EventProgress {
  readonly #bar: SingleBar;
  readonly #beganAt = performance.now();

  /** `before` are events that an earlier run has walked through. */
  constructor(private readonly before = 0) {
    this.#bar = new SingleBar({
      format:
        "{bar} {percentage}%  {events} events, {rate}/s, {eta_formatted} left",
      barsize: 24,
      stream: process.stderr,
      etaBuffer: 50,
      hideCursor: true,
      noTTYOutput: false,
      clearOnComplete: true,
    });
    this.#bar.start(STEPS, 0, { events: before, rate: 0 });
  }

  /** The walk has done a part of the work, 0 to 1, with so many events. */
  show(share: number, events: number): void {
    const seconds = (performance.now() - this.#beganAt) / 1_000;
    const rate = Math.round((events - this.before) / Math.max(0.001, seconds));
    this.#bar.update(share * STEPS, { events, rate });
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** Shows how far a replay has come. A signal such as that of Ctrl-C aborts it, and then the bar is taken away. */
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
 * Says on standard error how far the reading of a workspace has come: on a
 * terminal as it goes, elsewhere a line for each kind when the next begins.
 */
export class ReadProgressLine {
  #last: ReadProgress | undefined;

  constructor(
    private readonly title: string,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {}

  readonly show = (progress: ReadProgress): void => {
    if (this.#last && this.#last.what !== progress.what) this.end();
    this.#last = progress;
    if (this.stream.isTTY) this.stream.write(`\r${this.#text(progress)}`);
  };

  /** Nothing more comes. */
  end(): void {
    if (!this.#last) return;
    const start = this.stream.isTTY ? "\r" : "";
    this.stream.write(`${start}${this.#text(this.#last)}\n`);
    this.#last = undefined;
  }

  #text({ what, count }: ReadProgress): string {
    return `${this.title}: ${count} ${what}`;
  }
}
