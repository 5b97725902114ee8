import type { ReplayRange } from "./replay-options";

/** The service counts the matches of a search up to this number (docs/contract.md, "GET /events"). */
export const MOST_COUNTED = 1_000;

/** The answer of one call about a time range. */
export interface Look {
  /** The number of events in the range, up to `MOST_COUNTED`. */
  readonly count: number;
  /** Unix milliseconds of the first of them, at most a page. */
  readonly timestamps: readonly number[];
}

/** Calls that estimate the number of events where one call does not count them. */
const WINDOWS = 16;

/**
 * Estimates the number of events in a range. If there are few, one call counts them.
 * Otherwise the density at the beginning of 16 windows gives the estimate. It only decides
 * how long the slices of a sample are; no figure of an impact uses it.
 */
export async function countRoughly(
  look: (range: ReplayRange) => Promise<Look>,
  range: ReplayRange,
  random: () => number,
): Promise<number> {
  const { start, end } = range;
  const whole = await look(range);
  if (whole.count < MOST_COUNTED) return whole.count;
  const step = (end - start) / WINDOWS;
  const borders = Array.from({ length: WINDOWS - 1 }, (_, n) =>
    Math.floor(start + (n + 0.5 + random()) * step),
  );
  const counts = await Promise.all(
    [start, ...borders].map(async (from, n) => {
      const window = { start: from, end: borders[n] ?? end };
      if (window.start >= window.end) return 0;
      const { count, timestamps } = await look(window);
      if (count < MOST_COUNTED) return count;
      const pageMs = (timestamps.at(-1) ?? from) + 1 - from;
      const dense = (timestamps.length * (window.end - from)) / pageMs;
      return Math.max(MOST_COUNTED, dense);
    }),
  );
  return Math.max(
    MOST_COUNTED,
    Math.round(counts.reduce((sum, count) => sum + count, 0)),
  );
}
