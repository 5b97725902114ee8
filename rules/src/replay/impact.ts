/** A number of events: exact, or estimated from a sample. */
export interface Estimate {
  readonly value: number;
  /** Of a sample only: the bounds between which the number lies with the stated confidence. */
  readonly low?: number;
  readonly high?: number;
}

/** How many events, by what the two rule sets decide about them. */
export interface Outcomes {
  /** Allowed by the rules in force, denied by the proposed ones. */
  readonly newlyDenied: Estimate;
  /** Denied by the rules in force, allowed by the proposed ones. */
  readonly newlyAllowed: Estimate;
  readonly unchanged: Estimate;
  /** It depends on what an event does not tell. */
  readonly cannotTell: Estimate;
}

/** One rule's part, under its name in the rules in force and in the proposed ones. */
export interface RuleImpact {
  readonly name: string;
  /** `absent`: not in that rule set. */
  readonly before: "allow" | "deny" | "disabled" | "absent";
  readonly after: "allow" | "deny" | "disabled" | "absent";
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

/** A value and on how many events it was; `value` is absent for those without one. */
export interface TopValue {
  readonly value?: string;
  readonly events: number;
  /** Only where the values were too many to be counted exactly: on `events` to `atMost` events. */
  readonly atMost?: number;
}

/** Events that one of the two rule sets denies and the other does not; in a sample, those looked at. */
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
  /** In the order of the proposed rules; then those that only the rules in force have. */
  readonly rules: readonly RuleImpact[];
  /**
   * What events do not tell, as expressions read it, and for how many events
   * that were looked at and cannot be told it was missing:
   * `http.request.headers['X-Api-Key']`. The most frequent first.
   */
  readonly missing: readonly {
    readonly field: string;
    readonly events: number;
  }[];
  readonly newlyDenied: Change;
  /**
   * Stored events are those that were let through: where the rules in force
   * deny none of them, what is newly allowed cannot be observed.
   */
  readonly newlyAllowed: Change | "not observable";
  /** An event counts as suspect when its score is above it. */
  readonly suspectThreshold: number;
  /** At most 48, of equal length, the oldest first. */
  readonly periods: readonly Period[];
}
