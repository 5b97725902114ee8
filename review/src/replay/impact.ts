import { z } from "zod";
import type { Plain } from "@devid/rules/internals";
import { RowCounts } from "./row-counts";

const events = z.int().min(0);

const Estimate = z.object({
  value: z.number(),
  /** Only for a sample: the bounds of the number, with the stated confidence. */
  low: z.number().optional(),
  high: z.number().optional(),
  /**
   * Only for a sample's totals: the bounds of their share of all events, in percent,
   * with the same confidence.
   */
  percent: z.object({ low: z.number(), high: z.number() }).optional(),
});
/** A number of events: exact, or estimated from a sample. */
export type Estimate = Plain<z.output<typeof Estimate>>;

const Outcomes = z.object({
  /** Allowed by the rules in force, denied by the proposed ones. */
  newlyDenied: Estimate,
  /** Denied by the rules in force, allowed by the proposed ones. */
  newlyAllowed: Estimate,
  unchanged: Estimate,
  /** The outcome depends on data that the event lacks. */
  cannotTell: Estimate,
});
/** Numbers of events, by the decisions of the two rule sets. */
export type Outcomes = Plain<z.output<typeof Outcomes>>;

/** The outcomes of events that are described, too. */
export const CHANGED_OUTCOMES = ["newlyDenied", "newlyAllowed"] as const;

export type ChangedOutcome = (typeof CHANGED_OUTCOMES)[number];

/** Whether events with an outcome are described, too. */
export const isChanged = (outcome: keyof Outcomes): outcome is ChangedOutcome =>
  outcome === "newlyDenied" || outcome === "newlyAllowed";

const RuleState = z.enum(["allow", "deny", "disabled", "absent", "unknown"]);
/**
 * What a rule does in one of the two rule sets. `absent`: it is not in that set;
 * `unknown`: this version does not know its action or its status.
 */
export type RuleState = z.output<typeof RuleState>;

const RuleImpact = z.object({
  name: z.string(),
  before: RuleState,
  after: RuleState,
  /** Events that it surely decided in the rules in force. */
  decidedBefore: Estimate,
  /** Events that it surely decides in the proposed rules. */
  decidedAfter: Estimate,
  /**
   * The outcomes of the events that it decides, or may decide, in either set. An event
   * that one rule allowed and another denies now counts as newly denied for both rules.
   */
  outcomes: Outcomes,
});
/** The impact of one rule. */
export type RuleImpact = Plain<z.output<typeof RuleImpact>>;

const TopValue = z.object({
  value: z.string().optional(),
  events,
  /**
   * Present if there were too many values to count exactly: between `events` and
   * `atMost` events have it.
   */
  atMost: events.optional(),
});
/** A value and how many events have it; `value` is absent for events without one. */
export type TopValue = Plain<z.output<typeof TopValue>>;

const TopValues = z.array(TopValue);

const CountedOutcomes = z.object({
  events,
  newlyDenied: events,
  newlyAllowed: events,
  unchanged: events,
  cannotTell: events,
});
/** Exact numbers of events, by the decisions of the two rule sets. */
export type CountedOutcomes = Plain<z.output<typeof CountedOutcomes>>;

const LabelledOutcomes = CountedOutcomes.extend({
  value: z.string().optional(),
});
/** The outcomes of the events that have one value of a label; `value` is absent for events without one. */
export type LabelledOutcomes = Plain<z.output<typeof LabelledOutcomes>>;

const Labels = z.object({
  /** The member of an event, such as `tags.suspect`, or the column of a warehouse. */
  by: z.string(),
  /** The most frequent first, at most 101. For a sample, only of the events that were read. */
  values: z.array(LabelledOutcomes),
  /** Events with all other values, if there are more. */
  others: CountedOutcomes.optional(),
});
/** The outcomes of events by a label, such as the verdict of a fraud review. */
export type Labels = Plain<z.output<typeof Labels>>;

const Change = z.object({
  events,
  /** The most frequent values, at most ten of each, the most frequent first. */
  top: z.object({
    origin: TopValues,
    country: TopValues,
    asn: TopValues,
    userAgent: TopValues,
    linkedId: TopValues,
  }),
  /** How many had a bad bot. */
  badBots: events,
  /** How many had any bot, good or bad. */
  bots: events,
  /** How many had a suspect score above the threshold, of those with a score. */
  suspect: z.object({ events, scored: events }),
  /** IDs of a few, the newest first, at most five. */
  examples: z.array(z.string()),
});
/** Events that one rule set allows and the other denies; for a sample, only those that were read. */
export type Change = Plain<z.output<typeof Change>>;

/** The attributes of events for the top values. */
export type Attribute = keyof Change["top"];

const Period = z.object({
  /** RFC 3339, UTC. */
  start: z.iso.datetime(),
  events: z.number(),
  /** Surely denied by the rules in force. */
  deniedBefore: z.number(),
  /** Surely denied by the proposed rules. */
  deniedAfter: z.number(),
});
/** A part of the time range, for charts; in a sample, its numbers are estimates. */
export type Period = Plain<z.output<typeof Period>>;

/**
 * What proposed rules would have done to the events of a time range, next to
 * the rules in force. Events are read as docs/assumptions.md, A110, says.
 */
export const Impact = z.object({
  /** RFC 3339, UTC; `end` is excluded. */
  range: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
  /** Events that were replayed. */
  events,
  /** Absent if the source has nothing but these events. */
  rows: RowCounts.optional(),
  /** Absent if every event of the range was replayed. */
  sample: z
    .object({
      /** Confidence of the bounds, 0 to 1. */
      confidence: z.number(),
      /** Events of the range. */
      of: Estimate,
    })
    .optional(),
  total: Outcomes,
  /**
   * Events that have an outcome, or may have it. An undetermined event counts for each
   * outcome that is possible for it. Conditions compare these upper bounds.
   */
  possible: Outcomes.pick({ newlyDenied: true, newlyAllowed: true }),
  /**
   * Canonical names of the headers that count as missing if an event lacks them,
   * because the user says that clients never send them.
   */
  assumedNotSent: z.array(z.string()),
  /** In the order of the proposed rules, followed by rules that only the rules in force have. */
  rules: z.array(RuleImpact),
  /**
   * The data that undetermined events lack, as expressions read it
   * (`http.request.headers['X-Api-Key']`), with the number of events that lack it. The
   * most frequent first.
   */
  missing: z.array(z.object({ field: z.string(), events })),
  newlyDenied: Change,
  /**
   * The service stores only events that were let through. If the rules in force surely
   * allow all of them, newly allowed events cannot be observed.
   */
  newlyAllowed: z.union([Change, z.literal("not observable")]),
  /** An event counts as suspect when its score is above it. */
  suspectThreshold: z.number(),
  /** Present if a label was asked for. */
  labels: Labels.optional(),
  /** At most 48, of equal length, the oldest first. */
  periods: z.array(Period),
});
/** What proposed rules would have done to the events of a time range, next to the rules in force. */
export type Impact = Plain<z.output<typeof Impact>>;
