import type { ReplayRange } from "./replay-options";

/** A time range that is read completely, Unix milliseconds, both ends included. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Which slices of a range a sample reads. */
export interface SamplePlan {
  /** The slices of each part, in random order. All parts have as many. */
  readonly parts: readonly (readonly Slice[])[];
  /** Slices of each part that are read, if there is time: 2 at least. */
  readonly wanted: number;
}

/**
 * How many events a slice should hold. A sample of a given size has small slices, because
 * many of them give closer bounds. Within a time limit, a slice is a page, because each
 * slice costs a call.
 */
const EVENTS_OF_SLICE = { sample: 25, withinTime: 100 };

/** With fewer slices of each part, there are no bounds. */
export const LEAST_SLICES = 2;

/** Parts of equal length. With fewer, the bounds are too uncertain. */
const LEAST_PARTS = 20;

/** Slices of each part, which are kept in memory. */
const MOST_SLICES = 50_000;

/**
 * Draws the slices of a sample of about `sample` of about `total` events. With a time
 * limit the parts are few, so that two slices of each are soon read, and the slices of
 * each part follow in random order: those that are read in time are a random choice.
 * Undefined if reading all events is hardly more work.
 */
export function planSample(
  { start, end }: ReplayRange,
  {
    sample = Infinity,
    total,
    hasTimeLimit,
  }: {
    readonly sample?: number;
    readonly total: number;
    readonly hasTimeLimit: boolean;
  },
  random: () => number,
): SamplePlan | undefined {
  if (sample !== Infinity && sample > total / 2) return undefined;
  const size =
    sample === Infinity ? EVENTS_OF_SLICE.withinTime : EVENTS_OF_SLICE.sample;
  const parts = hasTimeLimit
    ? LEAST_PARTS
    : Math.max(LEAST_PARTS, Math.ceil(sample / size / LEAST_SLICES));
  const perSlice = Math.min(size, sample / parts / LEAST_SLICES);
  const count = Math.min(
    MOST_SLICES,
    Math.round(total / parts / perSlice),
    Math.floor((end - start) / parts),
  );
  if (count < 2 * LEAST_SLICES) return undefined;
  const borderOf = (n: number) =>
    start + Math.ceil((n * (end - start)) / (parts * count));
  const wanted = Math.round((count * Math.min(sample, total)) / total);
  return {
    parts: Array.from({ length: parts }, (_, part) =>
      shuffled(count, random).map((n) => ({
        start: borderOf(part * count + n),
        end: borderOf(part * count + n + 1) - 1,
      })),
    ),
    wanted: hasTimeLimit ? Math.max(LEAST_SLICES, wanted) : LEAST_SLICES,
  };
}

/** The numbers below `count` in random order. */
function shuffled(count: number, random: () => number): number[] {
  const numbers = Array.from({ length: count }, (_, n) => n);
  for (let left = count; left > 1; left--) {
    const drawn = Math.floor(random() * left);
    const last = numbers[left - 1] ?? 0;
    numbers[left - 1] = numbers[drawn] ?? 0;
    numbers[drawn] = last;
  }
  return numbers;
}
