import type { Event } from "@devid/sdk";
import { walkResult } from "@devid/rules/internals";
import {
  type PartialRuleRequest,
  eventAsRuleRequest,
} from "@devid/rules/language";
import { ChangeCounter } from "./change-counter";
import {
  decisionComparison,
  impossibleOutcomes,
  type Comparison,
} from "./compare-decisions";
import type { Change, Estimate, Impact, Labels, Outcomes } from "./impact";
import { EVENTS, FigureTable, type Figures } from "./impact-figures";
import { LabelCounter, labelOf } from "./label-counter";
import { iso, PeriodCounter } from "./period-counter";
import { RowCounter } from "./row-counts";
import {
  headersNotSent,
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "./replay-options";
import { mayDecide } from "@devid/rules";

/**
 * What proposed rules would have done to events. Events may come in any order; events
 * outside the range are left out. Every figure is exact, and memory does not grow with
 * the number of events. Up to 50,000 different values of each attribute are counted, by
 * their first 512 characters. With more values, a top value has bounds.
 * @throws InvalidInputError, and what the events throw
 *
 * @example
 * const impact = await measureImpact(client.events.searchAll({ start, end }), {
 *   proposed,
 *   inForce,
 *   start,
 *   end,
 * });
 */
export async function measureImpact(
  events: AsyncIterable<Event>,
  options: ReplayOptions,
): Promise<Impact> {
  return countImpact(events, new ImpactCounter(options));
}

/** Counts every event of the counter's range. */
export async function countImpact(
  events: AsyncIterable<Event>,
  counter: ImpactCounter,
): Promise<Impact> {
  const figures = counter.figures();
  for await (const event of events) counter.add(event, figures);
  return counter.impact(figures);
}

const SUSPECT_THRESHOLD = 10;

/** Estimates of a range from a sample. */
export interface SampleEstimates {
  /** Confidence of the bounds, 0 to 1. */
  readonly confidence: number;
  /** Events of the range for each event of the sample. */
  readonly weight: number;
  /** The number of events of the range, by its place among the figures. */
  estimate(place: number): Estimate;
}

/** The common properties of the events of an impact. */
export interface ChangesOfEvents {
  readonly newlyDenied: Change;
  readonly newlyAllowed: Change;
  /** Present if a label was requested. */
  readonly labels?: Labels;
}

/**
 * Counts the decisions of two rule sets. A replay adds single events; a query of a
 * warehouse adds groups of events with equal decisions.
 */
export class ComparisonCounter {
  readonly range: ReplayRange;
  /** Outcomes that are proven to occur for no request. */
  readonly impossible: ReadonlySet<keyof Outcomes>;
  /** Canonical names of the headers that no client sends. */
  readonly notSent: ReadonlySet<string>;
  /** An event counts as suspect when its score is above it. */
  readonly suspectThreshold: number;
  readonly #table: FigureTable;
  readonly #periods: PeriodCounter;
  readonly #missing = new Map<string, number>();
  #mayDenialBeObserved = false;

  constructor(options: ReplayOptions) {
    const { inForce, proposed, diffs } = options;
    this.range = replayRange(options);
    this.notSent = headersNotSent(options);
    this.suspectThreshold = options.suspectThreshold ?? SUSPECT_THRESHOLD;
    this.impossible = impossibleOutcomes(inForce, proposed, diffs);
    this.#table = new FigureTable(inForce, proposed, this.impossible);
    this.#periods = new PeriodCounter(this.range);
  }

  /** Figures that are all 0. */
  figures(): Figures {
    return this.#table.figures();
  }

  /** How many periods the range has. */
  get periods(): number {
    return this.#periods.count;
  }

  /** The place of the period that a time of the range is in. */
  periodOf(timestamp: number): number {
    return this.#periods.periodOf(timestamp);
  }

  /** Counts events of one period with equal decisions. */
  add(
    comparison: Comparison,
    period: number,
    figures: Figures,
    events = 1,
  ): void {
    this.#count(comparison, figures, events);
    const { before, after, missing } = comparison;
    const results = { before: walkResult(before), after: walkResult(after) };
    this.#mayDenialBeObserved ||= results.before !== "allow";
    const denied = {
      before: results.before === "deny",
      after: results.after === "deny",
    };
    this.#periods.add(period, denied, events);
    for (const field of missing)
      this.#missing.set(field, (this.#missing.get(field) ?? 0) + events);
  }

  /** The impact on all events that were counted; `figures` are theirs. */
  impact(
    figures: Figures,
    changes: ChangesOfEvents,
    sample?: SampleEstimates,
  ): Impact {
    const estimate = (place: number) =>
      sample?.estimate(place) ?? { value: figures[place] ?? 0 };
    const possible = this.#table.possible(estimate);
    const total = this.#table.total(estimate, possible);
    return {
      range: { start: iso(this.range.start), end: iso(this.range.end) },
      events: figures[EVENTS] ?? 0,
      ...(sample && {
        sample: { confidence: sample.confidence, of: sample.estimate(EVENTS) },
      }),
      total,
      possible,
      assumedNotSent: [...this.notSent],
      rules: this.#table.rules(estimate, total),
      missing: [...this.#missing]
        .map(([field, events]) => ({ field, events }))
        .sort((a, b) => b.events - a.events || (a.field < b.field ? -1 : 1)),
      newlyDenied: changes.newlyDenied,
      newlyAllowed: this.#mayDenialBeObserved
        ? changes.newlyAllowed
        : "not observable",
      suspectThreshold: this.suspectThreshold,
      ...(changes.labels && { labels: changes.labels }),
      periods: this.#periods.periods(sample?.weight ?? 1),
    };
  }

  #count(
    { outcome, possible, before, after }: Comparison,
    figures: Figures,
    events: number,
  ): void {
    const table = this.#table;
    const count = (place: number) => {
      figures[place] = (figures[place] ?? 0) + events;
    };
    count(EVENTS);
    count(table.ofTotal(outcome));
    for (const one of possible)
      if (one === "newlyDenied" || one === "newlyAllowed")
        count(table.ofPossible(one));
    const names = [...mayDecide(before), ...mayDecide(after)];
    for (const name of new Set(names.map((rule) => rule.name)))
      count(table.ofRule(name, outcome));
    if (before.last && before.undetermined.length === 0)
      count(table.ofRule(before.last.rule.name, "decidedBefore"));
    if (after.last && after.undetermined.length === 0)
      count(table.ofRule(after.last.rule.name, "decidedAfter"));
  }
}

/** Decides events by two rule sets and counts the outcomes, in bounded memory. */
export class ImpactCounter {
  readonly #counter: ComparisonCounter;
  readonly #compare: (request: PartialRuleRequest) => Comparison;
  readonly #newlyDenied: ChangeCounter;
  readonly #newlyAllowed: ChangeCounter;
  readonly #labels: LabelCounter | undefined;
  readonly #rows: RowCounter;

  constructor(options: ReplayOptions) {
    const { inForce, proposed } = options;
    const counter = new ComparisonCounter(options);
    const { impossible, suspectThreshold } = counter;
    this.#counter = counter;
    this.#rows = new RowCounter(counter.range);
    this.#compare = decisionComparison(inForce, proposed, impossible);
    this.#newlyDenied = new ChangeCounter(suspectThreshold);
    this.#newlyAllowed = new ChangeCounter(suspectThreshold);
    this.#labels =
      options.by === undefined ? undefined : new LabelCounter(options.by);
  }

  get range(): ReplayRange {
    return this.#counter.range;
  }

  /** Figures that are all 0. */
  figures(): Figures {
    return this.#counter.figures();
  }

  /** Counts an event of the range in `figures` and in everything else; others are rows that could not be used. */
  add(event: Event, figures: Figures): void {
    if (!this.#rows.takes(event)) return;
    const { notSent } = this.#counter;
    const request = { ...eventAsRuleRequest(event), notSent };
    const comparison = this.#compare(request);
    const period = this.#counter.periodOf(event.timestamp);
    this.#counter.add(comparison, period, figures);
    const { outcome } = comparison;
    const labels = this.#labels;
    labels?.add(labelOf(event, labels.by), outcome, 1);
    if (outcome === "newlyDenied") this.#newlyDenied.add(event);
    if (outcome === "newlyAllowed") this.#newlyAllowed.add(event);
  }

  /** The impact on all events that were added; `figures` are theirs. */
  impact(figures: Figures, sample?: SampleEstimates): Impact {
    const changes = {
      newlyDenied: this.#newlyDenied.change(),
      newlyAllowed: this.#newlyAllowed.change(),
      labels: this.#labels?.labels(),
    };
    const { counts: rows } = this.#rows;
    const impact = this.#counter.impact(figures, changes, sample);
    return rows ? { ...impact, rows } : impact;
  }
}
