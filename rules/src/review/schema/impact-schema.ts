import { z } from "zod";
import type { Impact } from "../../replay";

const events = z.int().min(0);
const State = z.enum(["allow", "deny", "disabled", "absent"]);

const Estimate = z.object({
  value: z.number(),
  low: z.number().optional(),
  high: z.number().optional(),
});

const Outcomes = z.object({
  newlyDenied: Estimate,
  newlyAllowed: Estimate,
  unchanged: Estimate,
  cannotTell: Estimate,
});

const TopValues = z.array(
  z.object({
    value: z.string().optional(),
    events,
    atMost: events.optional(),
  }),
);

const Change = z.object({
  events,
  top: z.object({
    origin: TopValues,
    country: TopValues,
    asn: TopValues,
    userAgent: TopValues,
    linkedId: TopValues,
  }),
  badBots: events,
  bots: events,
  suspect: z.object({ events, scored: events }),
  examples: z.array(z.string()),
});

/** What a change would have done to past events, as `measureImpact` answers it. */
export const ImpactSchema: z.ZodType<Impact> = z.object({
  range: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
  events,
  sample: z.object({ confidence: z.number(), of: Estimate }).optional(),
  total: Outcomes,
  rules: z.array(
    z.object({
      name: z.string(),
      before: State,
      after: State,
      decidedBefore: Estimate,
      decidedAfter: Estimate,
      outcomes: Outcomes,
    }),
  ),
  missing: z.array(z.object({ field: z.string(), events })),
  newlyDenied: Change,
  newlyAllowed: z.union([Change, z.literal("not observable")]),
  suspectThreshold: z.number(),
  periods: z.array(
    z.object({
      start: z.iso.datetime(),
      events: z.number(),
      deniedBefore: z.number(),
      deniedAfter: z.number(),
    }),
  ),
});
