import { z } from "zod";

const MESSAGE =
  "must be a Date, Unix milliseconds, or a date-time such as 2026-01-31T00:00:00Z";

const DateTime = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text));

/**
 * A point in time as it is given to a call: a Date, an RFC 3339 date-time, or
 * Unix milliseconds. It comes out as Unix milliseconds, finer parts cut off.
 */
export const Moment = z.union(
  [
    z.date().transform((date) => date.getTime()),
    DateTime,
    z.int().min(0, MESSAGE),
  ],
  MESSAGE,
);
