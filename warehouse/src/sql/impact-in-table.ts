import {
  decisionComparison,
  type Change,
  type Comparison,
  type Impact,
  type ReplayOptions,
} from "@devid/review/replay";
import { RuleExpressions } from "@devid/rules/internals";
import {
  ChangeCounter,
  MOST_EXAMPLES,
  ComparisonCounter,
  LabelCounter,
} from "@devid/review/internals";
import { DIALECTS } from "./dialects";
import {
  type EventTable,
  type QueryRows,
  type SqlCell,
  whereSql,
} from "./event-table";
import { RowKeys } from "./row-keys";
import {
  type ChangedKeys,
  emptyChange,
  eventOfDetails,
  TableChanges,
} from "./table-changes";

/** Most values of a label that are counted by themselves. */
const MOST_LABELS = 100;

/** Most keys of changed events that are kept. */
const MOST_CHANGED = 100_000;

/** Most groups whose comparison is kept for the other periods. */
const MOST_KNOWN = 100_000;

/**
 * What proposed rules would have done to the events of a table: the figures that
 * `measureImpact` gives for the same events. One query counts the events with the same
 * keys in each period. The code of the replay then decides each of these groups, so
 * memory does not grow with the number of events. Further queries count what changed
 * events have in common. All top values are exact, also where the replay has bounds.
 * @param query runs a query; it is called one to five times, one after the other
 * @throws InvalidInputError; what `query` throws
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
  const { inForce, proposed, isBrief = false } = options;
  const counter = new ComparisonCounter(options);
  const expressions = new RuleExpressions();
  const checked = [...inForce, ...proposed]
    .filter(({ status }) => status !== "disabled")
    .map(({ expression }) => expressions.checked(expression))
    .filter((expression) => expression !== undefined);
  const keys = new RowKeys(table, new Set(checked), counter.notSent);
  const compare = decisionComparison(
    inForce,
    proposed,
    counter.impossible,
    expressions,
  );
  const known = new Map<string, Comparison>();
  const comparisonOf = (cells: ChangedKeys["cells"], id: string) => {
    const before = known.get(id);
    if (before) return before;
    if (known.size >= MOST_KNOWN) known.clear();
    const comparison = compare(keys.request(cells));
    known.set(id, comparison);
    return comparison;
  };

  const figures = counter.figures();
  const changed = new Map<string, ChangedKeys>();
  const stretches: Stretches = { newlyDenied: [], newlyAllowed: [] };
  const labels =
    options.by === undefined ? undefined : new LabelCounter(options.by);
  const label = labels && (await labelKeys(query, table, counter));
  const width = keys.names.length;
  const groups = groupsSql(table, keys, counter, label);
  const kept = isBrief ? undefined : await table.numbers?.keep(groups.numbered);
  try {
    return await counted();
  } finally {
    await kept?.drop();
  }

  async function counted(): Promise<Impact> {
    for await (const rows of query(groups.sums(kept?.table)))
      for (const row of rows) {
        const cells = row.slice(0, width);
        const [period, value, isOther, ...numbers] = row.slice(width);
        const [events = 0, first = 0, last = 0] = numbers.map(Number);
        const id = idOf(cells);
        const comparison = comparisonOf(cells, id);
        counter.add(comparison, Number(period), figures, events);
        const { outcome } = comparison;
        if (Number(isOther) === 1) labels?.addOthers(outcome, events);
        else
          labels?.add(
            value === null ? undefined : String(value),
            outcome,
            events,
          );
        if (outcome !== "newlyDenied" && outcome !== "newlyAllowed") continue;
        if (changed.size >= MOST_CHANGED) continue;
        changed.set(id, { outcome, cells });
        stretches[outcome].push({ events, first, last });
      }
    const changes =
      changed.size === 0 || isBrief
        ? { newlyDenied: emptyChange(), newlyAllowed: emptyChange() }
        : await changesIn();
    return counter.impact(figures, {
      ...changes,
      ...(labels && { labels: labels.labels() }),
    });
  }

  async function changesIn(): Promise<Changes> {
    const found = new TableChanges(
      table,
      keys,
      counter,
      [...changed.values()],
      kept,
    );
    if (changed.size < MOST_CHANGED && !found.isTooLong)
      return changesOf(query, found, stretches);
    // So many keys fit into no query: each row is looked at here.
    const { suspectThreshold } = counter;
    const counters = {
      newlyDenied: new ChangeCounter(suspectThreshold),
      newlyAllowed: new ChangeCounter(suspectThreshold),
    };
    for await (const rows of query(found.everyRowSql()))
      for (const row of rows) {
        const cells = row.slice(0, width);
        const { outcome } = comparisonOf(cells, idOf(cells));
        if (outcome === "newlyDenied" || outcome === "newlyAllowed")
          counters[outcome].add(eventOfDetails(row.slice(width)));
      }
    return {
      newlyDenied: counters.newlyDenied.change(),
      newlyAllowed: counters.newlyAllowed.change(),
    };
  }
}

type Changes = Record<ChangedKeys["outcome"], Change>;

const idOf = (cells: readonly SqlCell[]) => JSON.stringify(cells.map(String));

type Stretches = Readonly<Record<ChangedKeys["outcome"], Stretch[]>>;

async function changesOf(
  query: QueryRows,
  found: TableChanges,
  stretches: Stretches,
): Promise<Changes> {
  const changes = { newlyDenied: emptyChange(), newlyAllowed: emptyChange() };
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

/** The keys of a label: its value, and whether it is one of the values that are counted together. */
interface LabelKeys {
  readonly value: string;
  readonly isOther: string;
}

/** Counts the values of a label by themselves if they are few, else the most frequent. */
async function labelKeys(
  query: QueryRows,
  table: EventTable,
  { range: { start, end } }: ComparisonCounter,
): Promise<LabelKeys> {
  const { asText, quoteText } = DIALECTS[table.dialect];
  const value = asText(table.label ?? "NULL");
  const where = whereSql(table, start, end);
  const values: string[] = [];
  for await (const rows of query(
    `SELECT label FROM (SELECT ${value} AS label FROM ${table.table} WHERE ${where}) AS t WHERE label IS NOT NULL GROUP BY label ORDER BY count(*) DESC, label LIMIT ${MOST_LABELS + 1}`,
  ))
    for (const [label] of rows) values.push(String(label));
  if (values.length <= MOST_LABELS) return { value, isOther: "0" };
  const frequent = values.slice(0, MOST_LABELS).map(quoteText).join(", ");
  const isFrequent = `${value} IN (${frequent})`;
  return {
    value: `CASE WHEN ${isFrequent} THEN ${value} END`,
    isOther: `CASE WHEN ${value} IS NULL OR ${isFrequent} THEN 0 ELSE 1 END`,
  };
}

function groupsSql(
  table: EventTable,
  keys: RowKeys,
  { range: { start, end }, periods }: ComparisonCounter,
  label: LabelKeys | undefined,
): {
  /** Groups with the numbers of their rows. */
  readonly numbered: string;
  /** Groups with the number of their events, and the times of the first and the last. */
  readonly sums: (numbered?: string) => string;
} {
  const { asFloat, asInteger, asText, floor } = DIALECTS[table.dialect];
  // The same operations on floating-point numbers as those of the replay.
  const place = `${asFloat(`(c_time - ${start})`)} / ${asFloat(String(end - start))} * ${asFloat(String(periods))}`;
  const rows = keys.rows(whereSql(table, start, end), {
    c_time: table.columns.timestamp,
    c_label: label?.value ?? asText("NULL"),
    c_other: label?.isOther ?? "0",
    ...(table.numbers && { c_number: table.numbers.sql }),
  });
  const by = [...keys.names, "period", "c_label", "c_other"].join(", ");
  const grouped = (more = "") =>
    `SELECT ${by}, ${asInteger("count(*)")} AS events, min(c_time) AS first_time, max(c_time) AS last_time${more} FROM (SELECT *, ${floor(place)} AS period FROM (${rows}) AS t) AS t GROUP BY ${by}`;
  const list = table.numbers?.collect("c_number");
  return {
    numbered: grouped(list && `, ${list} AS numbers`),
    sums: (numbered) =>
      numbered === undefined
        ? grouped()
        : `SELECT ${by}, events, first_time, last_time FROM ${numbered}`,
  };
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
  const last = newest.reduce(
    (most, one) => Math.max(most, one.last),
    -Infinity,
  );
  return newest.length > MOST_STRETCHES
    ? [{ events, first: since, last }]
    : newest;
}
