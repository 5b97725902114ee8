import { InvalidArgumentError } from "commander";

const UNITS_MS = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const;

/** A span of time as text: a number and `ms`, `s`, `m`, `h` or `d`. */
const DURATION = /^(\d{1,12}(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Milliseconds of a text such as `31d` or `1.5h`; undefined when it is none. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** Milliseconds of a span of time as a flag has it, such as `60s` or `5m`. @throws InvalidArgumentError */
export function durationFlag(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError(
    "It has to be a span of time such as 60s or 5m.",
  );
}
