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

import {
  type Answers,
  DecisionVectors,
  type VectorGroups,
} from "./decision-vectors";
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
  const counter = new ComparisonCounter(options);
  const { inForce, proposed, isBrief = false } = options;
  const vectors = new DecisionVectors(
    table,
    inForce,
    proposed,
    counter.notSent,
  );
  const numbered = groupsOf(table, vectors, counter, !isBrief);
  const kept = isBrief
    ? undefined
    : await table.numbers?.keep(numbered.counted);
  const groups = kept ? numbered : groupsOf(table, vectors, counter, false);
  try {
    const from = kept?.table ?? `(${groups.counted}) AS t`;
    const counted = await countedGroups(
      query(groups.sums(from)),
      options,
      counter,
      vectors,
    );
    const changes =
      counted.changed.length === 0 || isBrief
        ? noChanges()
        : await changesOf(
            query,
            new TableChanges(
              table,
              vectors,
              counter,
              counted.changed,
              kept && groups.vectors(kept.table),
            ),
            counted.stretches,
          );
    return counter.impact(counted.figures, {
      ...changes,
      labels: counted.labels,
    });
  } finally {
    await kept?.drop();
  }
}

interface CountedGroups {
  readonly figures: ReturnType<ComparisonCounter["figures"]>;
  /** The vectors whose events change. */
  readonly changed: readonly ChangedVector[];
  /** When events of each outcome happened. */
  readonly stretches: Stretches;
  readonly labels: ReturnType<LabelCounter["labels"]> | undefined;
}

type Stretches = Readonly<Record<ChangedVector["outcome"], Stretch[]>>;

/** Decides each group. @param found the rows of `VectorGroups.sums` */
async function countedGroups(
  found: ReturnType<QueryRows>,
  { inForce, proposed, by }: ReplayOptions,
  counter: ComparisonCounter,
  vectors: DecisionVectors,
): Promise<CountedGroups> {
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
  const stretches: Stretches = {
    newlyDenied: [],
    newlyAllowed: [],
  };
  const { names } = vectors;
  const labels = by === undefined ? undefined : new LabelCounter(by);
  for await (const rows of found)
    for (const row of rows) {
      const vector = row.slice(0, names.length);
      const [period, label, ...numbers] = row.slice(names.length);
      const [events = 0, first = 0, last = 0] = numbers.map(Number);
      answers = vectors.answers(vector);
      const comparison = compare({ ...ANY_REQUEST });
      counter.add(comparison, Number(period), figures, events);
      const { outcome } = comparison;
      const value =
        label === null || label === undefined ? undefined : String(label);
      labels?.add(value, outcome, events);
      if (outcome !== "newlyDenied" && outcome !== "newlyAllowed") continue;
      changed.set(vector.join(), { outcome, vector });
      stretches[outcome].push({ events, first, last });
    }
  return {
    figures,
    changed: [...changed.values()],
    stretches,
    labels: labels?.labels(),
  };
}

async function changesOf(
  query: QueryRows,
  found: TableChanges,
  stretches: Stretches,
): Promise<Changes> {
  const changes = noChanges();
  for await (const rows of query(found.valuesSql()))
    for (const row of rows) found.addValues(row);
  for (const outcome of ["newlyDenied", "newlyAllowed"] as const) {
    if (stretches[outcome].length === 0) continue;
    const newest = newestStretches(stretches[outcome]);
    for await (const rows of query(found.examplesSql(outcome, newest)))
      for (const [id] of rows) found.addExample(outcome, String(id));
    changes[outcome] = found.change(outcome);
  }
  return changes;
}

type Changes = Record<ChangedVector["outcome"], Change>;

const noChanges = (): Changes => ({
  newlyDenied: emptyChange(),
  newlyAllowed: emptyChange(),
});

function groupsOf(
  table: EventTable,
  vectors: DecisionVectors,
  { range: { start, end }, periods }: ComparisonCounter,
  isNumbered: boolean,
): VectorGroups {
  const { asFloat, asText, floor } = DIALECTS[table.dialect];
  const { timestamp } = vectors.judged.columns;
  // The same operations on floating-point numbers as those of the replay.
  const place = `${asFloat(`(${timestamp} - ${start})`)} / ${asFloat(String(end - start))} * ${asFloat(String(periods))}`;
  return vectors.groups(
    whereSql(table, start, end),
    {
      period: floor(place),
      label: asText(vectors.judged.label ?? "NULL"),
    },
    isNumbered,
  );
}

interface Stretch {
  readonly events: number;
  readonly first: number;
  readonly last: number;
}

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
