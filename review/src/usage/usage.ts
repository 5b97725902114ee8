import { RULE_ACTIONS } from "@devid/sdk/wire/filtering-rules";
import { z } from "zod";
import type { Plain } from "@devid/rules/internals";
import { RowCounts } from "../replay/row-counts";

const FirstAndLast = z.object({ first: z.string(), last: z.string() });
/** The times of the first and the last event of a group. RFC 3339, UTC. */
export type FirstAndLast = Plain<z.output<typeof FirstAndLast>>;

const RuleVerdict = z.enum([
  "decides",
  "cannot tell",
  "overruled",
  "never",
  "disabled",
]);
/**
 * What a rule did on past events:
 * - `decides`: it decided at least one event.
 * - `cannot tell`: it may have decided events, depending on unknown data.
 * - `overruled`: it matched events, and a rule before it decided all of them.
 * - `never`: it matched no event.
 * - `disabled`: it is switched off.
 */
export type RuleVerdict = z.output<typeof RuleVerdict>;

const TermUsage = z.object({
  /** The operand, or the comparison with one value: `sdk.version in ["3.1.0"]`. */
  term: z.string(),
  /** Whether the term stands behind a negation, so that it prevents a match of the rule. */
  isException: z.boolean(),
  /**
   * Events that reached the rule, for which the term was true, and that the rule
   * matched. For an exception: events that the rule did not match.
   */
  events: z.int(),
  time: FirstAndLast.optional(),
  /** Events that may belong to `events`, depending on unknown data. */
  undetermined: z.int(),
});
/**
 * What an alternative in the expression of a rule did: an operand of `||`, or a value
 * of a list behind `in`. If `events` and `undetermined` are 0, the set without the term
 * would decide every event of the time range the same.
 */
export type TermUsage = Plain<z.output<typeof TermUsage>>;

const RuleUsage = z.object({
  name: z.string(),
  action: z.enum(RULE_ACTIONS),
  verdict: RuleVerdict,
  /** Events that the rule certainly decided: it matched, and no rule before it did. */
  decided: z.int(),
  /** Times of the events that the rule decided. */
  time: FirstAndLast.optional(),
  /**
   * Further events that the rule may have decided, depending on data that the events
   * lack.
   */
  mayHaveDecided: z.int(),
  /** Events that the rule certainly matches, even if another rule decided them. */
  matched: z.int(),
  /**
   * At most three rules that decided events which this rule matches, too. The rule with
   * the most such events is first.
   */
  overruledBy: z.array(z.object({ rule: z.string(), events: z.int() })),
  /**
   * The parts of a request that the rule reads and that are absent, empty or unknown in
   * all events.
   */
  neverFilled: z.array(z.string()),
  /**
   * The alternatives in the rule's expression. Empty for a rule without alternatives,
   * and for a rule that decided nothing.
   */
  terms: z.array(TermUsage),
});
/** What one rule did on past events. */
export type RuleUsage = Plain<z.output<typeof RuleUsage>>;

const FieldUsage = z.object({
  /** The name in expressions: `http.request.headers["Origin"]`. */
  field: z.string(),
  /** Events that have the part, even if it is empty. */
  known: z.int(),
  /** Events in which the part is not empty. */
  filled: z.int(),
});
/** How many events fill a part of the request that rules read. */
export type FieldUsage = Plain<z.output<typeof FieldUsage>>;

/** What the rules of a set, and the terms in them, did on the events of a time range. */
export const Usage = z.object({
  /** RFC 3339, UTC; `end` is excluded. */
  range: z.object({ start: z.string(), end: z.string() }),
  events: z.int(),
  /** Absent if the source has nothing but these events. */
  rows: RowCounts.optional(),
  decidedByNone: z.int().describe("Events that no rule matches."),
  /** Rules in the order of the set. */
  rules: z.array(RuleUsage),
  /** Parts of requests that the rules read, in the order of the rules. */
  fields: z.array(FieldUsage),
  /** Canonical names of headers that count as missing if an event lacks them. */
  assumedNotSent: z.array(z.string()),
});
/** What the rules of a set, and the terms in them, did on the events of a time range. */
export type Usage = Plain<z.output<typeof Usage>>;

/** Whether a term decided nothing. Without it, every event would be decided the same. */
export const isUnusedTerm = ({ events, undetermined }: TermUsage): boolean =>
  events === 0 && undetermined === 0;
