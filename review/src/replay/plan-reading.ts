import { DevidError } from "@devid/sdk/errors";
import { guessTotal, MOST_LOOKS, type Look } from "./guess-total";
import { REPLAY, type ReplayRange } from "./replay-options";

/** A time range that is read completely, Unix milliseconds, both ends included. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Which slices of a range are read. */
export interface SamplePlan {
  /** Number of equal slices of each part of the range; two of them are read. */
  readonly slicesPerPart: number;
  readonly parts: readonly (readonly [Slice, Slice])[];
}

/** How many events a slice should hold. Smaller slices need more calls and give closer bounds. */
export const EVENTS_PER_SLICE = 25;

/** With fewer slices, the bounds are too uncertain. */
export const FEWEST_SLICES = 20;

/** A sample of a larger share of all events saves too little. */
const LARGEST_FRACTION = 0.5;

/**
 * Draws the slices of a sample of about `events` of about `total` events. The range is
 * cut into equal parts, each part into slices, and two different slices of each part
 * are drawn with equal probability. Undefined if reading all events is hardly more
 * work.
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
    // One of the other slices, with equal probability.
    const step = 1 + Math.floor(random() * (slicesPerPart - 1));
    const other = (one + step) % slicesPerPart;
    const first = part * slicesPerPart;
    return [sliceAt(first + one), sliceAt(first + other)] as const;
  });
  return { slicesPerPart, parts };
}

/** Estimates of the number of events and of the time to read them. */
export interface ReadingEstimate {
  /** Events of the range. */
  readonly events: number;
  /** Milliseconds to read all of them, at the client's rate. */
  readonly expectedMs: number;
  /** About how many events are replayed; absent for all events. */
  readonly sample?: number;
}

/** The options that decide how much is read. */
export interface ReadingOptions {
  readonly sample?: number;
  readonly withinMs?: number;
  readonly onEstimate?: (estimate: ReadingEstimate) => void;
  readonly random?: () => number;
}

/** The time allowed for a replay is too short even for the smallest sample. */
export class DeadlineTooShortError extends DevidError {
  override readonly name = "DeadlineTooShortError";

  constructor(
    /** Time for the smallest sample, in milliseconds. */
    readonly leastMs: number,
  ) {
    super(
      `${REPLAY} takes at least ${Math.ceil(leastMs)} ms for so many events, because the smallest sample takes that long: allow more time.`,
    );
  }
}

/** Events of a call. */
const PAGE = 100;

/** The share of the time that is planned, because the estimates may be wrong. */
const SLACK = 0.8;

/**
 * The first page of each slice, and a share of a second page for slices with too many
 * events.
 */
const CALLS_PER_SLICE = 1 + EVENTS_PER_SLICE / PAGE;

/**
 * Decides whether all of a range is read, or the slices of a sample. With a deadline,
 * or with `onEstimate`, the number of events is estimated first; the time for that
 * counts towards the deadline.
 * @throws DeadlineTooShortError
 */
export async function planReading(
  look: (range: ReplayRange) => Promise<Look>,
  range: ReplayRange,
  {
    callsPerSecond,
    sample = Infinity,
    withinMs = Infinity,
    eventMs: readEventMs = () => 0,
    onEstimate,
    random = Math.random,
  }: ReadingOptions & {
    /** The client's rate. */
    readonly callsPerSecond: number;
    /** Milliseconds to decide an event, known after the first ones. */
    readonly eventMs?: () => number;
  },
): Promise<SamplePlan | undefined> {
  const isAll = sample === Infinity && withinMs === Infinity;
  if (isAll && !onEstimate) return undefined;
  const began = performance.now();
  const guessAtLeastMs = (1_000 * MOST_LOOKS) / callsPerSecond;
  let isFirst = true;
  const lookInTime = (part: ReplayRange) => {
    if (!isFirst && guessAtLeastMs > withinMs)
      throw new DeadlineTooShortError(
        (MOST_LOOKS + (FEWEST_SLICES * CALLS_PER_SLICE) / SLACK) *
          (1_000 / callsPerSecond),
      );
    isFirst = false;
    return look(part);
  };
  const guess = await guessTotal(lookInTime, range, random);
  const { events: total, calls } = guess;
  const guessMs = performance.now() - began;
  const callMs = Math.max(1_000 / callsPerSecond, guessMs / calls);
  const eventMs = readEventMs();
  const events = Math.round(total);
  const expectedMs = Math.round(
    Math.ceil(total / PAGE) * callMs + total * eventMs,
  );

  const affordableMs = (withinMs - guessMs) * SLACK;
  const isEnough = expectedMs <= affordableMs;
  const sliceMs = CALLS_PER_SLICE * callMs + EVENTS_PER_SLICE * eventMs;
  const isPossible = affordableMs >= FEWEST_SLICES * sliceMs;
  const wanted = isEnough
    ? sample
    : Math.min(sample, (affordableMs / sliceMs) * EVENTS_PER_SLICE);
  const plan =
    isEnough || isPossible
      ? drawSlices(range, { events: wanted, total }, random)
      : undefined;
  if (!plan && !isEnough)
    throw new DeadlineTooShortError(
      isPossible
        ? guessMs + expectedMs / SLACK
        : MOST_LOOKS * callMs + (FEWEST_SLICES * sliceMs) / SLACK,
    );
  onEstimate?.({
    events,
    expectedMs,
    ...(plan && { sample: Math.round(wanted) }),
  });
  return plan;
}
