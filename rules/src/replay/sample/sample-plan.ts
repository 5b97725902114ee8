import type { ReplayRange } from "../replay-options";

/** A stretch of time that is read whole, Unix milliseconds, both ends included. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Which slices of a range are read. */
export interface SamplePlan {
  /** Each part of the range is cut into so many slices of equal length, two of which are read. */
  readonly slicesPerPart: number;
  readonly parts: readonly (readonly [Slice, Slice])[];
}

/** How many events a slice is meant to hold: fewer make more calls, and closer bounds. */
export const EVENTS_PER_SLICE = 25;

/** Fewer would tell too little about how much slices differ. */
export const FEWEST_SLICES = 20;

/** Of a larger part of all events, a sample saves too little. */
const LARGEST_FRACTION = 0.5;

/**
 * Draws the slices of a sample of about `events` of the range's events, of
 * which there are about `total`: the range is cut into parts of equal length,
 * these into slices, and of each part two different slices are drawn, each as
 * likely as any other. Undefined where reading all is little more.
 */
export function drawSlices(
  range: ReplayRange,
  { events, total }: { readonly events: number; readonly total: number },
  random: () => number,
): SamplePlan | undefined {
  if (events >= total * LARGEST_FRACTION) return undefined;
  const length = range.end - range.start;
  const slices = Math.max(FEWEST_SLICES, events / EVENTS_PER_SLICE);
  const partCount = Math.ceil(slices / 2);
  const slicesPerPart = Math.min(
    Math.round((2 * total) / events),
    Math.floor(length / partCount),
  );
  if (slicesPerPart * LARGEST_FRACTION < 2) return undefined;

  const sliceAt = (n: number): Slice => {
    const startOf = (i: number) =>
      range.start + Math.ceil((i * length) / (partCount * slicesPerPart));
    return { start: startOf(n), end: startOf(n + 1) - 1 };
  };
  const parts = Array.from({ length: partCount }, (_, part) => {
    const one = Math.floor(random() * slicesPerPart);
    // Any of the others.
    const step = 1 + Math.floor(random() * (slicesPerPart - 1));
    const other = (one + step) % slicesPerPart;
    const first = part * slicesPerPart;
    return [sliceAt(first + one), sliceAt(first + other)] as const;
  });
  return { slicesPerPart, parts };
}
