import { durationMs } from "@devid/sdk/duration";
import { InvalidArgumentError } from "commander";

/** Milliseconds of a span of time as a flag has it, such as `60s` or `5m`. @throws InvalidArgumentError */
export function durationFlag(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError(
    "It has to be a span of time such as 60s or 5m.",
  );
}
