import { SingleBar } from "cli-progress";

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
