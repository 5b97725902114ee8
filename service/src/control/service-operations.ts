import { z } from "zod";
import type { Context } from "../context";
import { invalid } from "../http/answer-error";
import { Fault } from "../http/faults";
import { operation, type Operation } from "../http/operation";
import { eitherViolations, violation } from "../http/violations";

const UNITS_MS = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const;

/** A span of time as text: a number and `ms`, `s`, `m`, `h` or `d`. */
const DURATION = /^(\d{1,12}(?:\.\d+)?)(ms|s|m|h|d)$/;

/** The milliseconds of a text such as `31d` or `1.5h`; NaN for any other text. */
function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

const ClockChange = z.strictObject({
  advance: z
    .string()
    .regex(DURATION, 'must be a number and ms, s, m, h or d, such as "31d"')
    .optional(),
  now: z.iso
    .datetime({
      offset: true,
      error: "must be a date-time such as 2027-01-07T00:00:00Z",
    })
    .optional(),
});

/** The control calls about the whole service. */
export function serviceOperations(context: Context): Operation[] {
  const { clock, faults, rateLimiter, requestLog, store } = context;
  return [
    operation({
      name: "addFault",
      method: "POST",
      path: "/faults",
      summary: "Make requests fail",
      description:
        "The oldest fault that matches a request acts on it. With after, the request does its work first; a truncated answer always follows the work. A body that is a string is sent as it is. Without times, the fault acts until it is forgotten.",
      body: Fault,
      status: 201,
      answer: Fault,
      run: ({ body }) => {
        faults.add(body);
        return body;
      },
    }),
    operation({
      name: "forgetFaults",
      method: "DELETE",
      path: "/faults",
      summary: "Forget all faults",
      status: 204,
      answer: z.undefined(),
      run: () => faults.reset(),
    }),
    operation({
      name: "moveClock",
      method: "POST",
      path: "/clock",
      summary: "Move the service's clock, which timestamps come from",
      description:
        "Takes either advance, such as 31d or 5m, or now. The clock runs on from there.",
      body: ClockChange,
      answer: z.object({ now: z.string() }),
      check: ({ body }) => eitherViolations(body, "advance", "now"),
      run: ({ body: { advance, now } }) => {
        const timeMs =
          advance === undefined
            ? Date.parse(now ?? "")
            : clock.nowMs() + durationMs(advance);
        if (clock.moveTo(timeMs)) return { now: clock.now() };
        const property = advance === undefined ? "now" : "advance";
        throw invalid(
          violation(property, "leads out of the years 1970 to 9999"),
        );
      },
    }),
    operation({
      name: "reset",
      method: "POST",
      path: "/reset",
      summary:
        "Go back to the state of the first start: records, clock, faults, request log and rate limits",
      status: 204,
      answer: z.undefined(),
      run: () => {
        clock.reset();
        store.reset();
        faults.reset();
        rateLimiter.reset();
        requestLog.reset();
      },
    }),
  ];
}
