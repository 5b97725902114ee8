import { HeaderName, type Rule } from "@devid/rules";
import { z } from "zod";
import { InvalidInputError } from "@devid/sdk/errors";
import { Moment } from "@devid/sdk/wire";

/** What is replayed: two rule sets, and the time range of the events. */
export interface ReplayOptions {
  readonly proposed: readonly Rule[];
  readonly inForce: readonly Rule[];
  /** A Date, an RFC 3339 date-time or Unix milliseconds. */
  readonly start: z.input<typeof Moment>;
  /** The same; it is after `start` and excluded. */
  readonly end: z.input<typeof Moment>;
  /** A label: a member of events, such as `tags.suspect`, by whose values outcomes are also counted. */
  readonly by?: string;
  /**
   * Headers that no client sends: if an event lacks them, they count as missing and not
   * as unknown. Default: none.
   */
  readonly assumeNotSent?: readonly string[];
  /** The outcome that an undetermined event may have to count in `missing`. Default: any. */
  readonly missingFor?: "newlyDenied" | "newlyAllowed";
}

/** A time range, Unix milliseconds, `end` excluded. */
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

/** The range of the options. @throws InvalidInputError */
export function replayRange({
  start,
  end,
}: Pick<ReplayOptions, "start" | "end">): ReplayRange {
  return checked(Range, { start, end }, (path) => path);
}

function checked<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  propertyAt: (path: string) => string,
): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new InvalidInputError(
    REPLAY,
    result.error.issues.map(({ path, message }) => ({
      property: propertyAt(path.join(".")),
      message,
    })),
  );
}

/**
 * Canonical names of the headers in `assumeNotSent`.
 * @throws InvalidInputError for a text that is no header name
 */
export function headersNotSent({
  assumeNotSent = [],
}: Pick<ReplayOptions, "assumeNotSent">): ReadonlySet<string> {
  const names = z.array(HeaderName);
  return new Set(
    checked(names, assumeNotSent, (path) => `assumeNotSent[${path}]`),
  );
}
