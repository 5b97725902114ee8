import {
  decisionComparison,
  type Change,
  type Impact,
  type ReplayOptions,
} from "@devid/review/replay";
import { ANY_REQUEST } from "@devid/rules";
import {
  MOST_EXAMPLES,
  ComparisonCounter,
  LabelCounter,
} from "@devid/review/internals";

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
  options: ReplayOptions & {
    /** Whether only numbers are counted, and not what changed events have in common. */
    readonly isBrief?: boolean;
  },
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
  let all = 0;
  let changedEvents = 0;
  const stretches: Record<ChangedVector["outcome"], Stretch[]> = {
    newlyDenied: [],
    newlyAllowed: [],
  };
  const { names } = vectors;
  const labels =
    options.by === undefined ? undefined : new LabelCounter(options.by);
  for await (const rows of query(groupsSql(table, vectors, counter)))
    for (const row of rows) {
      const vector = row.slice(0, names.length);
      const [period, label, ...numbers] = row.slice(names.length);
      const [events = 0, first = 0, last = 0] = numbers.map(Number);
      answers = vectors.answers(vector);
      const comparison = compare({ ...ANY_REQUEST });
      counter.add(comparison, Number(period), figures, events);
      const { outcome } = comparison;
      all += events;
      const value =
        label === null || label === undefined ? undefined : String(label);
      labels?.add(value, outcome, events);
      if (outcome !== "newlyDenied" && outcome !== "newlyAllowed") continue;
      changed.set(vector.join(), { outcome, vector });
      stretches[outcome].push({ events, first, last });
      changedEvents += events;
    }
  const changes: Record<"newlyDenied" | "newlyAllowed", Change> = {
    newlyDenied: emptyChange(),
    newlyAllowed: emptyChange(),
  };
  if (changed.size > 0 && !options.isBrief) {
    const found = new TableChanges(
      table,
      vectors,
      counter,
      [...changed.values()],
      changedEvents < all * SMALL_SHARE,
    );
    for await (const rows of query(found.valuesSql()))
      for (const row of rows) found.addValues(row);
    for (const outcome of ["newlyDenied", "newlyAllowed"] as const) {
      if (stretches[outcome].length === 0) continue;
      const newest = newestStretches(stretches[outcome]);
      for await (const rows of query(found.examplesSql(outcome, newest)))
        for (const [id] of rows) found.addExample(outcome, String(id));
      changes[outcome] = found.change(outcome);
    }
  }
  return counter.impact(figures, { ...changes, labels: labels?.labels() });
}

/** Largest share of the events for which every condition is computed a second time. */
const SMALL_SHARE = 1 / 8;

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

/** Events of one outcome and the times of the first and the last. */
interface Stretch {
  readonly events: number;
  readonly first: number;
  readonly last: number;
}

/** Most stretches of time that a query names. */
const MOST_STRETCHES = 50;

/**
 * The stretches of time that hold the newest events of an outcome. All examples are in
 * these stretches. Each stretch ends with its last event.
 */
function newestStretches(all: readonly Stretch[]): readonly Stretch[] {
  let events = 0;
  let since = -Infinity;
  for (const one of [...all].sort((a, b) => b.first - a.first)) {
    events += one.events;
    since = one.first;
    if (events >= MOST_EXAMPLES) break;
  }
  const newest = all
    .filter(({ last }) => last >= since)
    .map((one) => ({ ...one, first: Math.max(one.first, since) }));
  const last = Math.max(...newest.map((one) => one.last));
  return newest.length > MOST_STRETCHES
    ? [{ events, first: since, last }]
    : newest;
}
