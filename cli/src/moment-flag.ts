import { InvalidArgumentError } from "commander";
import { durationMs } from "./duration-flag";

/**
 * A point in time as a flag has it: RFC 3339, Unix milliseconds, or how long
 * ago, such as `24h` or `7d`.
 * @throws InvalidArgumentError, which commander shows with the flag's name
 */
export function momentFlag(text: string): Date {
  const ago = durationMs(text);
  const time =
    ago !== undefined
      ? Date.now() - ago
      : /^\d+$/.test(text)
        ? Number(text)
        : Date.parse(text);
  const date = new Date(time);
  if (!Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError(
    "It has to be a date-time such as 2026-01-31T00:00:00Z, Unix milliseconds, or how long ago, such as 24h or 7d.",
  );
}
