import type { Period } from "./impact";
import type { ReplayRange } from "./replay-options";

const MOST_PERIODS = 48;

/** Counts events by their part of the range. */
export class PeriodCounter {
  readonly #periods: { events: number; before: number; after: number }[];

  constructor(private readonly range: ReplayRange) {
    const count = Math.min(MOST_PERIODS, range.end - range.start);
    this.#periods = Array.from({ length: count }, () => ({
      events: 0,
      before: 0,
      after: 0,
    }));
  }

  /** How many periods there are. */
  get count(): number {
    return this.#periods.length;
  }

  /** Counts events of one period that were decided alike. `time` is the time of any of them. */
  add(
    time: number,
    denied: { before: boolean; after: boolean },
    events: number,
  ): void {
    const { start, end } = this.range;
    const place = Math.floor(((time - start) / (end - start)) * this.count);
    const period = this.#periods[place];
    if (!period) return;
    period.events += events;
    if (denied.before) period.before += events;
    if (denied.after) period.after += events;
  }

  /** The counts of each period, times `weight`: events of the range per event read. */
  periods(weight: number): Period[] {
    const { start, end } = this.range;
    return this.#periods.map(({ events, before, after }, i, { length }) => ({
      start: iso(start + Math.ceil((i * (end - start)) / length)),
      events: Math.round(events * weight),
      deniedBefore: Math.round(before * weight),
      deniedAfter: Math.round(after * weight),
    }));
  }
}

/** RFC 3339, UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();
