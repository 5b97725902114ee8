import type { Rule } from "../rule-set/rule";

/** When the first and the last of some events were. RFC 3339, UTC. */
export interface FirstAndLast {
  readonly first: string;
  readonly last: string;
}

/**
 * What became of a rule on past events:
 * - `decides`: it decided at least one event.
 * - `cannot tell`: it surely decided none, but may have decided some.
 * - `overruled`: it matched events, and a rule before it decided all of them.
 * - `never`: it matched no event.
 * - `disabled`: it is switched off.
 */
export type RuleVerdict =
  "decides" | "cannot tell" | "overruled" | "never" | "disabled";

/** What one rule did on past events. */
export interface RuleUsage {
  readonly name: string;
  readonly action: Rule["action"];
  readonly verdict: RuleVerdict;
  /** Events that it surely decided: it matched, and no rule before it. */
  readonly decided: number;
  /** Of the events that it decided. */
  readonly time?: FirstAndLast;
  /** Further events that it decided if data that they lack has certain values. */
  readonly mayHaveDecided: number;
  /** Events that it surely matches, whichever rule decided them. */
  readonly matched: number;
  /** The rules that surely decided events which this rule matches, too: those with the most events first, at most three. */
  readonly overruledBy: readonly {
    readonly rule: string;
    readonly events: number;
  }[];
  /** The parts that it reads and no event fills: they are absent, empty or unknown in all events. */
  readonly neverFilled: readonly string[];
  /** The alternatives in its expression. Empty for a rule without any, and for one that decided nothing. */
  readonly terms: readonly TermUsage[];
}

/**
 * What an alternative in the expression of a rule did: an operand of `||`, or a value
 * of a list behind `in`. If `events` and `undetermined` are 0, every event of the time would
 * be decided the same without the term.
 */
export interface TermUsage {
  /** The operand, or the comparison with one value: `sdk.version in ["3.1.0"]`. */
  readonly term: string;
  /** Whether it stands behind a negation, so that it keeps the rule from matching. */
  readonly isException: boolean;
  /**
   * Events that reached the rule, for which the term was true, and that the rule
   * matched; of an exception: that the rule did not match.
   */
  readonly events: number;
  readonly time?: FirstAndLast;
  /** Events for which that is undetermined. */
  readonly undetermined: number;
}

/** How many events fill a part of the request that rules read. */
export interface FieldUsage {
  /** As expressions read it: `http.request.headers["Origin"]`. */
  readonly field: string;
  /** Events that have it, even if it is empty. */
  readonly known: number;
  /** Events that have it, and in which it is not empty. */
  readonly filled: number;
}

/** What the rules of a set, and the terms in them, did on the events of a time range. */
export interface Usage {
  /** RFC 3339, UTC; `end` is excluded. */
  readonly range: { readonly start: string; readonly end: string };
  readonly events: number;
  /** Events that no rule matches, so that they were let through. */
  readonly decidedByNone: number;
  /** In the order of the set. */
  readonly rules: readonly RuleUsage[];
  /** What the rules read, in the order of the rules. */
  readonly fields: readonly FieldUsage[];
  /** Canonical names of headers that count as missing if an event lacks them. */
  readonly assumedNotSent: readonly string[];
}

/** A term that decided nothing, and that could be taken away without a change for any of the events. */
export const isUnusedTerm = ({ events, undetermined }: TermUsage): boolean =>
  events === 0 && undetermined === 0;

/** Whether a rule surely did nothing: it could be taken away without a change for any of the events. */
export const isUnusedRule = ({ verdict }: RuleUsage): boolean =>
  verdict === "never" || verdict === "overruled";
