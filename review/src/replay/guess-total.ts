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

/** An estimate of the number of events in a range. */
export interface Guess {
  readonly events: number;
  /** Calls that it took, at most `MOST_LOOKS`. */
  readonly calls: number;
}

const WINDOWS = 16;

/** Further calls for windows that hold more events than the service counts. */
const MORE_LOOKS = 16;

/** Most calls of a guess. */
export const MOST_LOOKS = 1 + WINDOWS + MORE_LOOKS;

interface Window extends ReplayRange {
  readonly events: number;
  /** Whether all of them were counted. */
  readonly isCounted: boolean;
  /** Events of the first page, and the milliseconds that they cover. */
  readonly pageEvents: number;
  readonly pageMs: number;
}

/**
 * Estimates the number of events in a range. If there are few, one call counts them.
 * Otherwise the range is cut into random windows; for a window with more events than
 * the service counts, the number is estimated from their density. The guess decides how
 * long reading takes and how many slices a sample has; the figures of an impact do not
 * use it.
 */
export async function guessTotal(
  look: (range: ReplayRange) => Promise<Look>,
  range: ReplayRange,
  random: () => number,
): Promise<Guess> {
  let calls = 0;
  const windowOf = async (part: ReplayRange): Promise<Window> => {
    calls += 1;
    return windowFrom(part, await look(part));
  };
  const whole = await windowOf(range);
  if (whole.isCounted) return { events: whole.events, calls };
  const windows = await Promise.all(
    cut(range, WINDOWS, random).map((part) => windowOf(part)),
  );
  const crowded = windows.filter(({ isCounted }) => !isCounted);
  const pieces = Math.floor(MORE_LOOKS / Math.max(1, crowded.length));
  const looked = await Promise.all(
    windows.map(async (window) => {
      if (window.isCounted) return window.events;
      if (pieces < 2)
        return pooled(window, await windowOf(inside(window, random)));
      const parts = cut(window, pieces, random);
      const counted = await Promise.all(parts.map((part) => windowOf(part)));
      return sum(counted.map(({ events }) => events));
    }),
  );
  return { events: Math.max(MOST_COUNTED, sum(looked)), calls };
}

function windowFrom(range: ReplayRange, { count, timestamps }: Look): Window {
  const { start, end } = range;
  const pageMs = (timestamps.at(-1) ?? start) + 1 - start;
  const pageEvents = timestamps.length;
  const dense = (pageEvents * (end - start)) / pageMs;
  const isCounted = count < MOST_COUNTED;
  const events = isCounted ? count : Math.max(MOST_COUNTED, dense);
  return { start, end, events, isCounted, pageEvents, pageMs };
}

/** Parts of a range with about equal length and random borders. */
function cut(
  { start, end }: ReplayRange,
  parts: number,
  random: () => number,
): ReplayRange[] {
  const step = (end - start) / parts;
  const borders = Array.from({ length: parts - 1 }, (_, n) =>
    Math.floor(start + (n + 0.5 + random()) * step),
  );
  return [start, ...borders]
    .map((from, n) => ({ start: from, end: borders[n] ?? end }))
    .filter((part) => part.start < part.end);
}

/**
 * A random part of a window. Its length is chosen so that it probably has half as many
 * events as the service counts.
 */
function inside(
  { start, end, events }: Window,
  random: () => number,
): ReplayRange {
  const length = Math.ceil(((end - start) * MOST_COUNTED) / 2 / events);
  const from = Math.floor(start + random() * (end - start - length));
  return { start: from, end: from + length };
}

/**
 * The number of events in a window, from their density on its first page and in one
 * part of it.
 */
function pooled(window: Window, part: Window): number {
  const { start, end, pageEvents, pageMs } = window;
  const events = pageEvents + part.events;
  const ms = pageMs + part.end - part.start;
  return Math.max(MOST_COUNTED, (events * (end - start)) / ms);
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
