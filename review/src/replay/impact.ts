import type { RowCounts } from "./row-counts";

/** A number of events: exact, or estimated from a sample. */
export interface Estimate {
  readonly value: number;
  /** Only for a sample: the bounds of the number, with the stated confidence. */
  readonly low?: number;
  readonly high?: number;
  /**
   * Only for a sample's totals: the bounds of their share of all events, in percent,
   * with the same confidence.
   */
  readonly percent?: { readonly low: number; readonly high: number };
}

/** What is counted for each outcome that an event may have. */
type ByOutcome<Count> = {
  /** Allowed by the rules in force, denied by the proposed ones. */
  readonly newlyDenied: Count;
  /** Denied by the rules in force, allowed by the proposed ones. */
  readonly newlyAllowed: Count;
  readonly unchanged: Count;
  /** The outcome depends on data that the event lacks. */
  readonly cannotTell: Count;
};

/** Numbers of events, by the decisions of the two rule sets. */
export type Outcomes = ByOutcome<Estimate>;

/** The outcomes of events that are described, too. */
export const CHANGED_OUTCOMES = ["newlyDenied", "newlyAllowed"] as const;

export type ChangedOutcome = (typeof CHANGED_OUTCOMES)[number];

/** Whether events with an outcome are described, too. */
export const isChanged = (outcome: keyof Outcomes): outcome is ChangedOutcome =>
  outcome === "newlyDenied" || outcome === "newlyAllowed";

/**
 * What a rule does in one of the two rule sets. `absent`: it is not in that set;
 * `unknown`: this version does not know its action or its status.
 */
export type RuleState = "allow" | "deny" | "disabled" | "absent" | "unknown";

/** The impact of one rule. */
export interface RuleImpact {
  readonly name: string;
  readonly before: RuleState;
  readonly after: RuleState;
  /** Events that it surely decided in the rules in force. */
  readonly decidedBefore: Estimate;
  /** Events that it surely decides in the proposed rules. */
  readonly decidedAfter: Estimate;
  /**
   * The outcomes of the events that it decides, or may decide, in either set. An event
   * that one rule allowed and another denies now counts as newly denied for both rules.
   */
  readonly outcomes: Outcomes;
}

/** A value and how many events have it; `value` is absent for events without one. */
export interface TopValue {
  readonly value?: string;
  readonly events: number;
  /**
   * Present if there were too many values to count exactly: between `events` and
   * `atMost` events have it.
   */
  readonly atMost?: number;
}

/** Exact numbers of events, by the decisions of the two rule sets. */
export interface CountedOutcomes extends ByOutcome<number> {
  readonly events: number;
}

/** The outcomes of the events that have one value of a label; `value` is absent for events without one. */
export interface LabelledOutcomes extends CountedOutcomes {
  readonly value?: string;
}

/** The outcomes of events by a label, such as the verdict of a fraud review. */
export interface Labels {
  /** The member of an event, such as `tags.suspect`, or the column of a warehouse. */
  readonly by: string;
  /** The most frequent first, at most 101. For a sample, only of the events that were read. */
  readonly values: readonly LabelledOutcomes[];
  /** Events with all other values, if there are more. */
  readonly others?: CountedOutcomes;
}

/** The attributes of events for the top values. */
export type Attribute = "origin" | "country" | "asn" | "userAgent" | "linkedId";

/** Events that one rule set allows and the other denies; for a sample, only those that were read. */
export interface Change {
  readonly events: number;
  /** The most frequent values, at most ten of each, the most frequent first. */
  readonly top: Readonly<Record<Attribute, readonly TopValue[]>>;
  /** How many had a bad bot. */
  readonly badBots: number;
  /** How many had any bot, good or bad. */
  readonly bots: number;
  /** How many had a suspect score above the threshold, of those with a score. */
  readonly suspect: { readonly events: number; readonly scored: number };
  /** IDs of a few, the newest first, at most five. */
  readonly examples: readonly string[];
}

/** A part of the time range, for charts; in a sample, its numbers are estimates. */
export interface Period {
  /** RFC 3339, UTC. */
  readonly start: string;
  readonly events: number;
  /** Surely denied by the rules in force. */
  readonly deniedBefore: number;
  /** Surely denied by the proposed rules. */
  readonly deniedAfter: number;
}

/**
 * What proposed rules would have done to the events of a time range, next to
 * the rules in force. Events are read as docs/assumptions.md, A110, says.
 */
export interface Impact {
  /** RFC 3339, UTC; `end` is excluded. */
  readonly range: { readonly start: string; readonly end: string };
  /** Events that were replayed. */
  readonly events: number;
  /** Absent if the source has nothing but these events. */
  readonly rows?: RowCounts;
  /** Absent if every event of the range was replayed. */
  readonly sample?: {
    /** Confidence of the bounds, 0 to 1. */
    readonly confidence: number;
    /** Events of the range. */
    readonly of: Estimate;
  };
  readonly total: Outcomes;
  /**
   * Events that have an outcome, or may have it. An undetermined event counts for each
   * outcome that is possible for it. Conditions compare these upper bounds.
   */
  readonly possible: Pick<Outcomes, ChangedOutcome>;
  /**
   * Canonical names of the headers that count as missing if an event lacks them,
   * because the user says that clients never send them.
   */
  readonly assumedNotSent: readonly string[];
  /** In the order of the proposed rules, followed by rules that only the rules in force have. */
  readonly rules: readonly RuleImpact[];
  /**
   * The data that undetermined events lack, as expressions read it
   * (`http.request.headers['X-Api-Key']`), with the number of events that lack it. The
   * most frequent first.
   */
  readonly missing: readonly {
    readonly field: string;
    readonly events: number;
  }[];
  readonly newlyDenied: Change;
  /**
   * The service stores only events that were let through. If the rules in force surely
   * allow all of them, newly allowed events cannot be observed.
   */
  readonly newlyAllowed: Change | "not observable";
  /** An event counts as suspect when its score is above it. */
  readonly suspectThreshold: number;
  /** Present if a label was asked for. */
  readonly labels?: Labels;
  /** At most 48, of equal length, the oldest first. */
  readonly periods: readonly Period[];
}
