import { decisionComparison } from "../replay/compare-decisions";
import { ANY_REQUEST } from "../replay/rule-walk";
import { MOST_EXAMPLES } from "../replay/change-counter";
import { ComparisonCounter } from "../replay/measure-impact";
import type { Change, Impact } from "../replay/impact";
import { LabelCounter } from "../replay/label-counter";
import type { ReplayOptions } from "../replay/replay-options";

import { type Answers, DecisionVectors } from "./decision-vectors";
import { DIALECTS } from "./dialects";
import { type EventTable, type QueryRows, whereSql } from "./event-table";
import { type ChangedVector, emptyChange, TableChanges } from "./table-changes";

/**
 * What proposed rules would have done to the events of a table: the figures that
 * `measureImpact` gives for the same events. One query counts the events that are decided
 * alike in each period. The code of the replay then decides each of these groups, so
 * memory does not grow with the number of events. Further queries count what changed
 * events have in common. All top values are exact, also where the replay has bounds.
 * @param query runs a query; it is called one to four times, one after the other
 * @throws NotInDialectError; InvalidInputError; what `query` throws
 *
 * @example
 * const impact = await impactInTable(
 *   query,
 *   { dialect: "duckdb", table: '"events"', columns },
 *   { proposed, inForce, start, end },
 * );
 */
export async function impactInTable(
  query: QueryRows,
  table: EventTable,
  options: ReplayOptions,
): Promise<Impact> {
  const { inForce, proposed } = options;
  const counter = new ComparisonCounter(options);
  const vectors = new DecisionVectors(
    table,
    inForce,
    proposed,
    counter.notSent,
  );
  let answers: Answers = () => ({ value: false });
  const compare = decisionComparison(
    inForce,
    proposed,
    counter.impossible,
    undefined,
    {
      expressions: vectors.expressions,
      matchOf: (expression) => () => answers(expression),
    },
  );
  const figures = counter.figures();
  const changed = new Map<string, ChangedVector>();
  const newestPeriods = new NewestPeriods();
  const { names } = vectors;
  const labels =
    options.by === undefined ? undefined : new LabelCounter(options.by);
  for await (const rows of query(groupsSql(table, vectors, counter)))
    for (const row of rows) {
      const vector = row.slice(0, names.length);
      const [period, label, events] = row.slice(names.length);
      answers = vectors.answers(vector);
      const comparison = compare({ ...ANY_REQUEST });
      counter.add(comparison, Number(period), figures, Number(events));
      const { outcome } = comparison;
      const value =
        label === null || label === undefined ? undefined : String(label);
      labels?.add(value, outcome, Number(events));
      if (outcome !== "newlyDenied" && outcome !== "newlyAllowed") continue;
      changed.set(vector.join(), { outcome, vector });
      newestPeriods.add(outcome, Number(period), Number(events));
    }
  const changes: Record<"newlyDenied" | "newlyAllowed", Change> = {
    newlyDenied: emptyChange(),
    newlyAllowed: emptyChange(),
  };
  if (changed.size > 0) {
    const { start, end } = counter.range;
    const since = (outcome: ChangedVector["outcome"]) =>
      start +
      Math.floor(
        (newestPeriods.since(outcome) * (end - start)) / counter.periods,
      ) -
      1;
    const found = new TableChanges(table, vectors, counter, [
      ...changed.values(),
    ]);
    for await (const rows of query(found.valuesSql()))
      for (const row of rows) found.addValues(row);
    for (const outcome of ["newlyDenied", "newlyAllowed"] as const) {
      if (!newestPeriods.has(outcome)) continue;
      for await (const rows of query(
        found.examplesSql(outcome, since(outcome)),
      ))
        for (const [id] of rows) found.addExample(outcome, String(id));
      changes[outcome] = found.change(outcome);
    }
  }
  return counter.impact(figures, { ...changes, labels: labels?.labels() });
}

/** How many events have each vector in each period. */
function groupsSql(
  table: EventTable,
  vectors: DecisionVectors,
  { range: { start, end }, periods }: ComparisonCounter,
): string {
  const { asFloat, asText, floor } = DIALECTS[table.dialect];
  const { timestamp } = vectors.judged.columns;
  // The same operations on floating-point numbers as those of the replay.
  const place = `${asFloat(`(${timestamp} - ${start})`)} / ${asFloat(String(end - start))} * ${asFloat(String(periods))}`;
  return vectors.groups(whereSql(table, start, end), {
    period: floor(place),
    label: asText(vectors.judged.label ?? "NULL"),
  });
}

/** Which periods have the newest events of each outcome. */
class NewestPeriods {
  readonly #events = new Map<ChangedVector["outcome"], Map<number, number>>();

  add(outcome: ChangedVector["outcome"], period: number, events: number): void {
    const ofOutcome = this.#events.get(outcome) ?? new Map<number, number>();
    ofOutcome.set(period, (ofOutcome.get(period) ?? 0) + events);
    this.#events.set(outcome, ofOutcome);
  }

  has(outcome: ChangedVector["outcome"]): boolean {
    return this.#events.has(outcome);
  }

  /** The last period such that it and those after it have all examples. */
  since(outcome: ChangedVector["outcome"]): number {
    const ofOutcome = this.#events.get(outcome) ?? new Map<number, number>();
    let events = 0;
    for (const period of [...ofOutcome.keys()].sort((a, b) => b - a)) {
      events += ofOutcome.get(period) ?? 0;
      if (events >= MOST_EXAMPLES) return period;
    }
    return 0;
  }
}
