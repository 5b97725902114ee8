import type { RULE_ACTIONS } from "@devid/sdk/wire/filtering-rules";
import type { RowCounts } from "../replay/row-counts";

/** The times of the first and the last event of a group. RFC 3339, UTC. */
export interface FirstAndLast {
  readonly first: string;
  readonly last: string;
}

/**
 * What a rule did on past events:
 * - `decides`: it decided at least one event.
 * - `cannot tell`: it may have decided events, depending on unknown data.
 * - `overruled`: it matched events, and a rule before it decided all of them.
 * - `never`: it matched no event.
 * - `disabled`: it is switched off.
 */
export type RuleVerdict =
  | "decides"
  | "cannot tell"
  | "overruled"
  | "never"
  | "disabled";

/**
 * What an alternative in the expression of a rule did: an operand of `||`, or a value
 * of a list behind `in`. If `events` and `undetermined` are 0, the set without the term
 * would decide every event of the time range the same.
 */
export interface TermUsage {
  /** The operand, or the comparison with one value: `sdk.version in ["3.1.0"]`. */
  readonly term: string;
  /** Whether the term stands behind a negation, so that it prevents a match of the rule. */
  readonly isException: boolean;
  /**
   * Events that reached the rule, for which the term was true, and that the rule
   * matched. For an exception: events that the rule did not match.
   */
  readonly events: number;
  readonly time?: FirstAndLast;
  /** Events that may belong to `events`, depending on unknown data. */
  readonly undetermined: number;
}

/** What one rule did on past events. */
export interface RuleUsage {
  readonly name: string;
  readonly action: (typeof RULE_ACTIONS)[number];
  readonly verdict: RuleVerdict;
  /** Events that the rule certainly decided: it matched, and no rule before it did. */
  readonly decided: number;
  /** Times of the events that the rule decided. */
  readonly time?: FirstAndLast;
  /**
   * Further events that the rule may have decided, depending on data that the events
   * lack.
   */
  readonly mayHaveDecided: number;
  /** Events that the rule certainly matches, even if another rule decided them. */
  readonly matched: number;
  /**
   * At most three rules that decided events which this rule matches, too. The rule with
   * the most such events is first.
   */
  readonly overruledBy: readonly {
    readonly rule: string;
    readonly events: number;
  }[];
  /**
   * The parts of a request that the rule reads and that are absent, empty or unknown in
   * all events.
   */
  readonly neverFilled: readonly string[];
  /**
   * The alternatives in the rule's expression. Empty for a rule without alternatives,
   * and for a rule that decided nothing.
   */
  readonly terms: readonly TermUsage[];
}

/** How many events fill a part of the request that rules read. */
export interface FieldUsage {
  /** The name in expressions: `http.request.headers["Origin"]`. */
  readonly field: string;
  /** Events that have the part, even if it is empty. */
  readonly known: number;
  /** Events in which the part is not empty. */
  readonly filled: number;
}

/** What the rules of a set, and the terms in them, did on the events of a time range. */
export interface Usage {
  /** RFC 3339, UTC; `end` is excluded. */
  readonly range: { readonly start: string; readonly end: string };
  readonly events: number;
  /** Absent if the source has nothing but these events. */
  readonly rows?: RowCounts;
  /** Events that no rule matches. */
  readonly decidedByNone: number;
  /** Rules in the order of the set. */
  readonly rules: readonly RuleUsage[];
  /** Parts of requests that the rules read, in the order of the rules. */
  readonly fields: readonly FieldUsage[];
  /** Canonical names of headers that count as missing if an event lacks them. */
  readonly assumedNotSent: readonly string[];
}

/** Whether a term decided nothing. Without it, every event would be decided the same. */
export const isUnusedTerm = ({ events, undetermined }: TermUsage): boolean =>
  events === 0 && undetermined === 0;
