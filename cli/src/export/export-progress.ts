import { SingleBar } from "cli-progress";

/** Shows on a terminal how far an export has come; elsewhere nothing. */
export class ExportProgress {
  readonly #bar: SingleBar;
  readonly #beganAt = performance.now();
  readonly #before: number;

  /** `events` are those that an earlier run has exported. */
  constructor(
    private readonly range: { readonly start: number; readonly end: number },
    events: number,
  ) {
    this.#before = events;
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
    this.#bar.start(range.end - range.start, 0, { events, rate: 0 });
  }

  /** The export has come to a time, with so many events. */
  show(timestamp: number, events: number): void {
    const seconds = (performance.now() - this.#beganAt) / 1_000;
    const rate = Math.round((events - this.#before) / Math.max(0.001, seconds));
    this.#bar.update(timestamp - this.range.start, { events, rate });
  }

  stop(): void {
    this.#bar.stop();
  }
}
