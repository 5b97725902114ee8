import type { Budget } from "../budget";
import type { RuleSetDiffs } from "../diff/diff-rules";
import { z } from "zod";
import { HeaderName, type Rule } from "../rule-set/rule";
import { InvalidInputError } from "@devid/sdk/errors";
import { Moment } from "@devid/sdk/wire";

/** What is replayed: two rule sets, and the time that the events are of. */
export interface ReplayOptions {
  readonly proposed: readonly Rule[];
  readonly inForce: readonly Rule[];
  /** A Date, an RFC 3339 date-time or Unix milliseconds. */
  readonly start: z.input<typeof Moment>;
  /** The same; it is after `start` and excluded. */
  readonly end: z.input<typeof Moment>;
  /** An event counts as suspect when its score is above it; default 10. */
  readonly suspectThreshold?: number;
  /** A member of events, such as `tags.suspect`, by whose values outcomes are counted, too. */
  readonly by?: string;
  /**
   * Headers that no client sends: where an event does not tell them, they count
   * as missing and not as unknown. Default: none.
   */
  readonly assumeNotSent?: readonly string[];
  /** What is known already of how the two sets differ; left out, they are compared for about a second at most. */
  readonly diffs?: RuleSetDiffs;
  /**
   * What deciding events is taken from. Once it is spent, it cannot be told what
   * happens to an event. Left out, every event is decided.
   */
  readonly budget?: Budget;
}

/** A stretch of time, Unix milliseconds, `end` excluded. */
export interface ReplayRange {
  readonly start: number;
  readonly end: number;
}

const Range = z
  .object({ start: Moment, end: Moment })
  .refine(({ start, end }) => start < end, {
    path: ["end"],
    message: "must be after start",
  });

/** What is being done, for messages. */
export const REPLAY = "Measuring the impact of rules";

/** The range that options name. @throws InvalidInputError */
export function replayRange({ start, end }: ReplayOptions): ReplayRange {
  const checked = Range.safeParse({ start, end });
  if (checked.success) return checked.data;
  throw new InvalidInputError(
    REPLAY,
    checked.error.issues.map(({ path, message }) => ({
      property: path.join("."),
      message,
    })),
  );
}

/**
 * Canonical names of the headers that options say no client sends.
 * @throws InvalidInputError for a text that is no header name
 */
export function headersNotSent({
  assumeNotSent = [],
}: Pick<ReplayOptions, "assumeNotSent">): ReadonlySet<string> {
  const checked = z.array(HeaderName).safeParse(assumeNotSent);
  if (checked.success) return new Set(checked.data);
  throw new InvalidInputError(
    REPLAY,
    checked.error.issues.map(({ path, message }) => ({
      property: `assumeNotSent[${path.join(".")}]`,
      message,
    })),
  );
}
