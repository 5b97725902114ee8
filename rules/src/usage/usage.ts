import { RULE_ACTIONS } from "@devid/sdk/wire";
import { z } from "zod";
import type { Plain } from "../plain";

const FirstAndLast = z.object({ first: z.string(), last: z.string() });
/** When the first and the last of some events were. RFC 3339, UTC. */
export type FirstAndLast = Plain<z.output<typeof FirstAndLast>>;

const RuleVerdict = z.enum([
  "decides",
  "cannot tell",
  "overruled",
  "never",
  "disabled",
]);
/**
 * What became of a rule on past events:
 * - `decides`: it decided at least one event.
 * - `cannot tell`: it surely decided none, but may have decided some.
 * - `overruled`: it matched events, and a rule before it decided all of them.
 * - `never`: it matched no event.
 * - `disabled`: it is switched off.
 */
export type RuleVerdict = z.output<typeof RuleVerdict>;

const TermUsage = z.object({
  /** The operand, or the comparison with one value: `sdk.version in ["3.1.0"]`. */
  term: z.string(),
  /** Whether it stands behind a negation, so that it keeps the rule from matching. */
  isException: z.boolean(),
  /**
   * Events that reached the rule, for which the term was true, and that the rule
   * matched; of an exception: that the rule did not match.
   */
  events: z.int(),
  time: FirstAndLast.optional(),
  /** Events for which that is undetermined. */
  undetermined: z.int(),
});
/**
 * What an alternative in the expression of a rule did: an operand of `||`, or a value
 * of a list behind `in`. If `events` and `undetermined` are 0, every event of the time would
 * be decided the same without the term.
 */
export type TermUsage = Plain<z.output<typeof TermUsage>>;

const RuleUsage = z.object({
  name: z.string(),
  action: z.enum(RULE_ACTIONS),
  verdict: RuleVerdict,
  /** Events that it surely decided: it matched, and no rule before it. */
  decided: z.int(),
  /** Of the events that it decided. */
  time: FirstAndLast.optional(),
  /** Further events that it decided if data that they lack has certain values. */
  mayHaveDecided: z.int(),
  /** Events that it surely matches, whichever rule decided them. */
  matched: z.int(),
  /** The rules that surely decided events which this rule matches, too: those with the most events first, at most three. */
  overruledBy: z.array(z.object({ rule: z.string(), events: z.int() })),
  /** The parts that it reads and no event fills: they are absent, empty or unknown in all events. */
  neverFilled: z.array(z.string()),
  /** The alternatives in its expression. Empty for a rule without any, and for one that decided nothing. */
  terms: z.array(TermUsage),
});
/** What one rule did on past events. */
export type RuleUsage = Plain<z.output<typeof RuleUsage>>;

const FieldUsage = z.object({
  /** As expressions read it: `http.request.headers["Origin"]`. */
  field: z.string(),
  /** Events that have it, even if it is empty. */
  known: z.int(),
  /** Events that have it, and in which it is not empty. */
  filled: z.int(),
});
/** How many events fill a part of the request that rules read. */
export type FieldUsage = Plain<z.output<typeof FieldUsage>>;

/** What the rules of a set, and the terms in them, did on the events of a time range. */
export const Usage = z.object({
  /** RFC 3339, UTC; `end` is excluded. */
  range: z.object({ start: z.string(), end: z.string() }),
  events: z.int(),
  decidedByNone: z.int().describe("Events that no rule matches."),
  /** In the order of the set. */
  rules: z.array(RuleUsage),
  /** What the rules read, in the order of the rules. */
  fields: z.array(FieldUsage),
  /** Canonical names of headers that count as missing if an event lacks them. */
  assumedNotSent: z.array(z.string()),
});
/** What the rules of a set, and the terms in them, did on the events of a time range. */
export type Usage = Plain<z.output<typeof Usage>>;

/** A term that decided nothing, and that could be taken away without a change for any of the events. */
export const isUnusedTerm = ({ events, undetermined }: TermUsage): boolean =>
  events === 0 && undetermined === 0;

/** Whether a rule surely did nothing: it could be taken away without a change for any of the events. */
export const isUnusedRule = ({ verdict }: RuleUsage): boolean =>
  verdict === "never" || verdict === "overruled";
