import type { Event } from "@devid/sdk";
import { RuleExpressions, walkResult } from "@devid/rules/internals";
import { mayDecide } from "@devid/rules";
import type {
  CheckedExpression,
  PartialRuleRequest,
} from "@devid/rules/language";
import { ChangeCounter, SUSPECT_THRESHOLD } from "./change-counter";
import {
  decisionComparison,
  impossibleOutcomes,
  type Comparison,
} from "./compare-decisions";
import { groupOf, type EventGroup } from "./event-group";
import {
  CHANGED_OUTCOMES,
  isChanged,
  type ChangedOutcome,
  type Estimate,
  type Impact,
  type Outcomes,
} from "./impact";
import {
  EVENTS,
  FigureTable,
  type Figures,
  withoutImpossible,
} from "./impact-figures";
import { LabelCounter } from "./label-counter";
import { iso, PeriodCounter } from "./period-counter";
import { RowCounter } from "./row-counts";
import {
  headersNotSent,
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "./replay-options";

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
  const counter = new ImpactCounter(options);
  const figures = counter.figures();
  for await (const event of events) counter.addEvent(event, figures);
  return counter.impact(figures);
}

/** Estimates of a range from a sample. */
export interface SampleEstimates {
  /** Confidence of the bounds, 0 to 1. */
  readonly confidence: number;
  /** Events of the range for each event of the sample. */
  readonly weight: number;
  /** The number of events of the range, by its place among the figures. */
  estimate(place: number): Estimate;
}

/** Decides past events by two rule sets and counts the outcomes, in bounded memory. */
export class ImpactCounter {
  readonly range: ReplayRange;
  /** Canonical names of the headers that no client sends. */
  readonly notSent: ReadonlySet<string>;
  /** What the events of each outcome have in common. */
  readonly changes: Readonly<Record<ChangedOutcome, ChangeCounter>>;
  /** The expressions of the rules that may decide. */
  readonly expressions: ReadonlySet<CheckedExpression>;
  readonly #compare: (request: PartialRuleRequest) => Comparison;
  readonly #known = new WeakMap<PartialRuleRequest, Comparison>();
  readonly #impossible: ReadonlySet<keyof Outcomes>;
  readonly #table: FigureTable;
  readonly #periods: PeriodCounter;
  readonly #labels: LabelCounter | undefined;
  readonly #rows: RowCounter;
  readonly #missing = new Map<string, number>();
  #mayDenialBeObserved = false;

  constructor(private readonly options: ReplayOptions) {
    const { inForce, proposed, by } = options;
    this.range = replayRange(options);
    this.notSent = headersNotSent(options);
    this.changes = {
      newlyDenied: new ChangeCounter(),
      newlyAllowed: new ChangeCounter(),
    };
    const known = new RuleExpressions();
    const rules = [...inForce, ...proposed];
    this.expressions = new Set(
      rules
        .filter(({ status }) => status !== "disabled")
        .flatMap(({ expression }) => known.checked(expression) ?? []),
    );
    this.#impossible = impossibleOutcomes(inForce, proposed);
    this.#compare = decisionComparison(
      inForce,
      proposed,
      this.#impossible,
      known,
    );
    this.#table = new FigureTable(inForce, proposed);
    this.#periods = new PeriodCounter(this.range);
    this.#labels = by === undefined ? undefined : new LabelCounter(by);
    this.#rows = new RowCounter(this.range);
  }

  /** Figures that are all 0. */
  figures(): Figures {
    return this.#table.figures();
  }

  /** How many periods the range has; the events of a group are in one of them. */
  get periods(): number {
    return this.#periods.count;
  }

  /** Counts an event of the range in `figures` and in everything else; others are rows that could not be used. */
  addEvent(event: Event, figures: Figures): void {
    if (!this.#rows.takes(event)) return;
    const group = groupOf(event, this.notSent, this.#labels?.by);
    const outcome = this.add(group, figures);
    if (isChanged(outcome)) this.changes[outcome].add(event);
  }

  /** Counts a group of events in `figures` and in everything else except `changes`. */
  add(group: EventGroup, figures: Figures): keyof Outcomes {
    const comparison = this.#comparisonOf(group);
    const { events } = group;
    const { outcome, possible, before, after, missing } = comparison;
    const { missingFor = outcome } = this.options;
    this.#count(comparison, figures, events);
    const results = { before: walkResult(before), after: walkResult(after) };
    this.#mayDenialBeObserved ||= results.before !== "allow";
    const denied = {
      before: results.before === "deny",
      after: results.after === "deny",
    };
    this.#periods.add(group.first, denied, events);
    this.#labels?.add(group, outcome);
    if (missingFor === outcome || possible.has(missingFor))
      for (const field of missing)
        this.#missing.set(field, (this.#missing.get(field) ?? 0) + events);
    return outcome;
  }

  /** The outcome of the events of a group, which is not counted. */
  outcomeOf(group: Pick<EventGroup, "request">): keyof Outcomes {
    return this.#comparisonOf(group).outcome;
  }

  /** The impact on all events that were added; `figures` are theirs. */
  impact(figures: Figures, sample?: SampleEstimates): Impact {
    const estimate = (place: number) =>
      sample?.estimate(place) ?? { value: figures[place] ?? 0 };
    const counted = this.#table.totals(estimate);
    // If such events were seen in spite of the proof, they are shown.
    const unseen = CHANGED_OUTCOMES.filter(
      (outcome) =>
        this.#impossible.has(outcome) && counted.possible[outcome].value === 0,
    );
    const all = estimate(EVENTS);
    const totals = withoutImpossible(counted, new Set(unseen), all);
    const { counts: rows } = this.#rows;
    return {
      range: { start: iso(this.range.start), end: iso(this.range.end) },
      events: figures[EVENTS] ?? 0,
      ...(rows && { rows }),
      ...(sample && { sample: { confidence: sample.confidence, of: all } }),
      ...totals,
      assumedNotSent: [...this.notSent],
      rules: this.#table.rules(estimate, totals.total),
      missing: [...this.#missing]
        .map(([field, events]) => ({ field, events }))
        .sort((a, b) => b.events - a.events || (a.field < b.field ? -1 : 1)),
      newlyDenied: this.changes.newlyDenied.change(),
      newlyAllowed: this.#mayDenialBeObserved
        ? this.changes.newlyAllowed.change()
        : "not observable",
      suspectThreshold: SUSPECT_THRESHOLD,
      ...(this.#labels && { labels: this.#labels.labels() }),
      periods: this.#periods.periods(sample?.weight ?? 1),
    };
  }

  /** Many groups of a warehouse have the same request. */
  #comparisonOf({ request }: Pick<EventGroup, "request">): Comparison {
    if (request.answers === undefined) return this.#compare(request);
    const comparison = this.#known.get(request) ?? this.#compare(request);
    this.#known.set(request, comparison);
    return comparison;
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
      if (isChanged(one)) count(table.ofPossible(one));
    const names = [...mayDecide(before), ...mayDecide(after)];
    for (const name of new Set(names.map((rule) => rule.name)))
      count(table.ofRule(name, outcome));
    if (before.last && before.undetermined.length === 0)
      count(table.ofRule(before.last.rule.name, "decidedBefore"));
    if (after.last && after.undetermined.length === 0)
      count(table.ofRule(after.last.rule.name, "decidedAfter"));
  }
}
