/** A number of events: exact, or estimated from a sample. */
export interface Estimate {
  readonly value: number;
  /** Of a sample only: the bounds between which the number lies with the stated confidence. */
  readonly low?: number;
  readonly high?: number;
  /**
   * Of a sample's totals only: the bounds of their share of all events, in
   * percent, with the same confidence.
   */
  readonly percent?: { readonly low: number; readonly high: number };
}

/** How many events, by what the two rule sets decide about them. */
export interface Outcomes {
  /** Allowed by the rules in force, denied by the proposed ones. */
  readonly newlyDenied: Estimate;
  /** Denied by the rules in force, allowed by the proposed ones. */
  readonly newlyAllowed: Estimate;
  readonly unchanged: Estimate;
  /** The outcome depends on something that the event does not tell. */
  readonly cannotTell: Estimate;
}

/**
 * What a rule does in one of the two rule sets. `absent`: it is not in that set;
 * `unknown`: this version does not know its action or its status.
 */
export type RuleState = "allow" | "deny" | "disabled" | "absent" | "unknown";

/** The part that one rule has in an impact. */
export interface RuleImpact {
  readonly name: string;
  readonly before: RuleState;
  readonly after: RuleState;
  /** Events that it surely decided in the rules in force. */
  readonly decidedBefore: Estimate;
  /** Events that it surely decides in the proposed rules. */
  readonly decidedAfter: Estimate;
  /**
   * What becomes of the events that it decides, or may decide, in either of the
   * two sets. So an event that one rule allowed and another denies now counts
   * as newly denied at both: the one no longer allows it, the other denies it.
   */
  readonly outcomes: Outcomes;
}

/** What the top values are counted by. */
export type Attribute = "origin" | "country" | "asn" | "userAgent" | "linkedId";

/** A value and how many events have it; `value` is absent for events without one. */
export interface TopValue {
  readonly value?: string;
  readonly events: number;
  /**
   * Where there were too many values to count exactly: between `events` and
   * `atMost` events have it.
   */
  readonly atMost?: number;
}

/** How many events, exactly, by what the two rule sets decide about them. */
export type CountedOutcomes = {
  readonly events: number;
} & Readonly<Record<keyof Outcomes, number>>;

/** The outcomes of the events that have one value of a label; `value` is absent for events without one. */
export type LabelledOutcomes = CountedOutcomes & { readonly value?: string };

/** The outcomes of events by a label that was put on them, such as that of a fraud review. */
export interface Labels {
  /** The member of an event, such as `tags.suspect`, or the column of a warehouse. */
  readonly by: string;
  /** The most frequent first, at most 101. Of a sample, only the events that were read. */
  readonly values: readonly LabelledOutcomes[];
  /** Events with other values, where there are more. */
  readonly others?: CountedOutcomes;
}

/** Events that one rule set allows and the other denies; of a sample, only those that were read. */
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
  /** Events that were looked at. */
  readonly events: number;
  /** Absent where every event of the range was looked at. */
  readonly sample?: {
    /** Confidence of the bounds, as a part of one. */
    readonly confidence: number;
    /** Events of the range. */
    readonly of: Estimate;
  };
  readonly total: Outcomes;
  /**
   * Events that have an outcome, or may have it. An event that cannot be told
   * counts here for each outcome that is possible for it. So these are the upper
   * bounds that conditions compare.
   */
  readonly possible: Pick<Outcomes, "newlyDenied" | "newlyAllowed">;
  /**
   * Canonical names of the headers that count as missing where an event does not
   * tell them, because the user says that clients never send them.
   */
  readonly assumedNotSent: readonly string[];
  /** In the order of the proposed rules; then those that only the rules in force have. */
  readonly rules: readonly RuleImpact[];
  /**
   * What events did not tell, as expressions read it
   * (`http.request.headers['X-Api-Key']`), and for how many events the outcome
   * is unknown for that reason. The most frequent first.
   */
  readonly missing: readonly {
    readonly field: string;
    readonly events: number;
  }[];
  readonly newlyDenied: Change;
  /**
   * The service stores only events that were let through. When the rules in
   * force surely allow all of them, newly allowed events cannot be observed.
   */
  readonly newlyAllowed: Change | "not observable";
  /** An event counts as suspect when its score is above it. */
  readonly suspectThreshold: number;
  /** Where a label was asked for. */
  readonly labels?: Labels;
  /** At most 48, of equal length, the oldest first. */
  readonly periods: readonly Period[];
}
