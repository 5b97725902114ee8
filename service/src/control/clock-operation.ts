import { z } from "zod";
import type { Context } from "../context";
import { invalid } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";
import { eitherViolations } from "../http/violations";

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
function durationMs(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

const ClockChange = z.strictObject({
  advance: z
    .string()
    .regex(DURATION, 'must be a number and ms, s, m, h or d, such as "31d"')
    .optional(),
  now: z.iso.datetime({ offset: true }).optional(),
});

/** `POST /_local/clock`: moves the time that records are stamped with. */
export function clockOperation({ clock }: Context): Operation {
  return operation({
    name: "moveClock",
    method: "POST",
    path: "/clock",
    summary: "Move the clock that stamps records",
    description:
      "Either advance, such as 31d or 5m, or now. It goes on from there.",
    body: ClockChange,
    status: 200,
    answer: z.object({ now: z.string() }),
    check: ({ body }) => eitherViolations(body, "advance", "now"),
    run: ({ body: { advance, now } }) => {
      const timeMs =
        advance === undefined
          ? Date.parse(now ?? "")
          : clock.nowMs() + (durationMs(advance) ?? NaN);
      if (!clock.moveTo(timeMs)) {
        const property = advance === undefined ? "now" : "advance";
        throw invalid([
          { property, message: "leads out of the years 1970 to 9999" },
        ]);
      }
      return { now: clock.now() };
    },
  });
}
