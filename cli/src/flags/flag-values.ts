import { InvalidArgumentError } from "commander";

/** Parses the value of a flag as a number. @throws InvalidArgumentError */
export function numberFlag(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new InvalidArgumentError("It has to be a number.");
}

/** Makes a parser for a whole number, of 15 digits at most, which throws InvalidArgumentError. */
export const wholeNumberFlag =
  (least: number) =>
  (text: string): number => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(
      `It has to be a whole number of at least ${least}.`,
    );
  };

/** Parses percent, `5` or `5%`, from 0 to 100. @throws InvalidArgumentError */
export function percentFlag(text: string): number {
  const number = Number(/^(\d{1,3}(?:\.\d{1,6})?)%?$/.exec(text)?.[1] ?? NaN);
  if (number <= 100) return number;
  throw new InvalidArgumentError("It has to be a percentage from 0 to 100.");
}

/** Parses `true` or `false`. @throws InvalidArgumentError */
export function booleanFlag(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new InvalidArgumentError("It has to be true or false.");
}

/** Parses `60s` or `5m` as milliseconds above 0. @throws InvalidArgumentError */
export function durationFlag(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError(
    "It has to be a span of time such as 60s or 5m.",
  );
}

/** A date, perhaps with a time, whose zone may be left out. */
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * Parses the value of a flag as a point in time: a date-time, which is in UTC if it names no
 * zone, Unix milliseconds (of 2001 or later), or a time span before now, such as `24h`. No time
 * is before 1970.
 * @throws InvalidArgumentError
 */
export function momentFlag(text: string): Date {
  const ago = durationMs(text);
  const [, day = "", time = "00:00", zone = "Z"] = DATE_TIME.exec(text) ?? [];
  // Date rolls a day that a month does not have over to the next month.
  const isDay = new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8));
  const date = new Date(
    ago !== undefined
      ? Date.now() - ago
      : /^\d{12,}$/.test(text)
        ? Number(text)
        : isDay
          ? `${day}T${time}${zone}`
          : NaN,
  );
  if (date.getTime() >= 0) return date;
  throw new InvalidArgumentError(
    "It has to be a date-time such as 2026-01-31T00:00:00Z, Unix milliseconds, or how long ago, such as 24h or 7d; of 1970 or later.",
  );
}

/**
 * The time so many days ago, as a default; at the earliest 1970, where a machine that has lost
 * its time begins.
 */
export const daysAgo = (days: number): Date =>
  new Date(Math.max(0, Date.now() - days * UNITS_MS.d));

/** Makes a parser for a list of known words, `a,b`, which throws InvalidArgumentError. */
export function listFlag<T extends string>(
  known: readonly T[],
): (text: string) => T[] {
  return (text) =>
    text.split(",").map((part) => {
      const value = known.find((one) => one === part.trim());
      if (value !== undefined) return value;
      throw new InvalidArgumentError(
        `"${part.trim()}" is none of ${known.join(", ")}.`,
      );
    });
}

/** Collects the values of a flag that may be repeated. */
export const repeatedFlag = (
  value: string,
  earlier: readonly string[] = [],
): readonly string[] => [...earlier, value];

const UNITS_MS = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const;

/** A time span: a number and `ms`, `s`, `m`, `h` or `d`. */
const DURATION = /^(\d{1,12}(?:\.\d+)?)(ms|s|m|h|d)$/;

/** The milliseconds of a time span such as `31d`; undefined for another text. */
function durationMs(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}
