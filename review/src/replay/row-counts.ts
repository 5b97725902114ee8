import {
  code,
  count,
  grouped,
  sentences,
  type Prose,
} from "@devid/rules/internals";
import type { ReplayRange } from "./replay-options";

/** Rows of a source that hold no event that could be used. */
export interface UnreadableRows {
  readonly rows: number;
  /** What is wrong with them: `the time is a text`. */
  readonly reason: string;
  /** The first: `events/b.ndjson:3`, or the ID of its event. */
  readonly first: string;
  /** What to do about them. */
  readonly advice: string;
}

/** The rows of a source that are not among the counted events. */
export interface RowCounts {
  /** Events outside the time range, or of another environment. */
  readonly outside: number;
  /** By reason; conditions about events cannot be judged while there are any. */
  readonly unreadable: readonly UnreadableRows[];
  /** Present if all times are ISO 8601 texts, or all are Unix seconds. */
  readonly times?: "ISO texts" | "seconds";
  /** Present if events came more than once: the rows beyond the first with an `event_id`. Each row counts. */
  readonly duplicates?: number;
  /** Present if `duplicates` is an estimate: of many rows, a part of the IDs is compared. */
  readonly isEstimate?: true;
}

/** What can be wrong with a row, and what to do about it. */
export const ROW_PROBLEMS = {
  "no time": ["has no time", "Store the time of each event."],
  iso: [
    "has its time as ISO text, and other rows as a number",
    "Write all times in the same form.",
  ],
  text: [
    "has a time that is neither Unix milliseconds nor an ISO 8601 text with its offset",
    "Write Unix milliseconds, or texts such as 2026-06-01T08:00:00Z.",
  ],
  seconds: [
    "has its time in seconds, and other rows in another form",
    "Write all times in the same form.",
  ],
  number: [
    "has a number as its time that is no Unix milliseconds",
    "Write Unix milliseconds.",
  ],
  wrapped: [
    'holds its event in a member "event"',
    "Take the events out: jq -c .event.",
  ],
  array: ["holds a JSON array", "Write one event on each line: jq -c '.[]'."],
  "no object": [
    "holds a JSON value that is no object",
    "Write one event on each line.",
  ],
  "no JSON": [
    "is no JSON",
    "Write one event on each line, and copy a file that was cut short again.",
  ],
} as const satisfies Readonly<
  Record<string, readonly [reason: string, advice: string]>
>;

/** The key of something that can be wrong with a row. */
export type RowProblem = keyof typeof ROW_PROBLEMS;

/** Times from 1973 to 5138, in milliseconds; and in seconds, which is less than all of these. */
export const LEAST_MS = 1e11;
export const MOST_MS = 1e14;
export const LEAST_SECONDS = 1e8;

/** Texts of ISO 8601 that name a moment: with a date, a time and an offset. RE2 and JavaScript read it alike. */
export const ISO_TIME =
  "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$";

/** Counts the events of a source that cannot be used, one by one. */
export class RowCounter {
  #outside = 0;
  readonly #unreadable = new Map<RowProblem, { rows: number; first: string }>();

  constructor(private readonly range: ReplayRange) {}

  /** Whether an event is in the range. Any other event is counted here. */
  takes(event: { readonly timestamp: unknown; readonly event_id: unknown }) {
    const { timestamp } = event;
    const { start, end } = this.range;
    if (typeof timestamp === "number" && timestamp >= start && timestamp < end)
      return true;
    const problem = timeProblem(timestamp);
    if (problem === undefined) this.#outside += 1;
    else {
      const first = `event ${String(event.event_id)}`;
      const known = this.#unreadable.get(problem) ?? { rows: 0, first };
      known.rows += 1;
      this.#unreadable.set(problem, known);
    }
    return false;
  }

  /** Undefined if all events were in the range. */
  get counts(): RowCounts | undefined {
    const unreadable = [...this.#unreadable].map(([problem, { rows, first }]) =>
      unreadableRows(problem, rows, first),
    );
    return rowCounts({ outside: this.#outside, unreadable });
  }
}

function timeProblem(time: unknown): RowProblem | undefined {
  if (time === null || time === undefined || time === "") return "no time";
  if (typeof time !== "number")
    return typeof time === "string" && new RegExp(ISO_TIME).test(time)
      ? "iso"
      : "text";
  if (time >= LEAST_SECONDS && time < LEAST_MS) return "seconds";
  return Number.isFinite(time) ? undefined : "number";
}

/** Describes rows with the same problem. */
export function unreadableRows(
  problem: RowProblem,
  rows: number,
  first: string,
): UnreadableRows {
  const [reason, advice] = ROW_PROBLEMS[problem];
  return { rows, reason, first, advice };
}

/** The counts, the most frequent problem first; undefined if every row is a counted event and was read as it is. */
export function rowCounts(counts: RowCounts): RowCounts | undefined {
  const { outside, unreadable, times, duplicates } = counts;
  if (outside === 0 && unreadable.length === 0 && !times && !duplicates)
    return undefined;
  return {
    ...counts,
    unreadable: [...unreadable].sort((a, b) => b.rows - a.rows),
  };
}

/** How many rows could not be read. */
export const unreadableIn = (rows: RowCounts | undefined): number =>
  rows?.unreadable.reduce((sum, { rows }) => sum + rows, 0) ?? 0;

/** Says which rows are not among the counted events, and how times were read. */
export function describeRows(counts: RowCounts | undefined): Prose {
  if (counts === undefined) return "";
  const { outside, unreadable, times, duplicates = 0, isEstimate } = counts;
  return sentences(
    ...unreadable.map(
      ({ rows, reason, first, advice }) =>
        `${count(rows, "row")} could not be read; the first, ${code(first)}, ${reason}. ${advice}`,
    ),
    times === undefined ? "" : `All times are ${times}, and read as such.`,
    duplicates === 0
      ? ""
      : `${isEstimate ? "About " : ""}${count(duplicates, "row")} ${duplicates === 1 ? "repeats" : "repeat"} the event_id of another row, and ${duplicates === 1 ? "counts" : "count"} as further events.`,
    outside === 0
      ? ""
      : `${grouped(outside)} other ${outside === 1 ? "row is" : "rows are"} outside the time range, or of another environment.`,
  );
}
