import { DURATION, durationMs } from "@devid/sdk/duration";
import { z } from "zod";
import type { Context } from "../context";
import { invalid } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";
import { eitherViolations } from "../http/violations";

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
