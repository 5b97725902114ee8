import { ImpactCounter, isChanged } from "@devid/review/internals";
import {
  type EventGroup,
  type Impact,
  type ReplayOptions,
  type Usage,
  UsageCounter,
  type UsageOptions,
} from "@devid/review/replay";
import { ChangesInTable } from "./changes-in-table";
import type { EventTable, QueryRows } from "./event-table";
import { groupsInTable } from "./groups-in-table";
import { RowKeys } from "./row-keys";

/**
 * What proposed rules would have done to the events of a table: the figures that
 * `measureImpact` gives for the same events. One query groups them, the evaluator decides
 * each group, and further queries find what changed events have in common. All top
 * values are exact, also where the replay has bounds.
 * @param query runs a query; queries run one after the other
 * @param usage counts the same groups
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
  options: ReplayOptions,
  usage?: UsageCounter,
): Promise<Impact> {
  const counter = new ImpactCounter(options);
  const expressions = new Set([
    ...counter.expressions,
    ...(usage?.expressions ?? []),
  ]);
  const keys = new RowKeys(table, expressions, counter.notSent, usage?.parts);
  const changes = new ChangesInTable(table, keys, counter);
  const figures = counter.figures();
  const requests = new Requests(usage);
  try {
    for await (const group of groupsInTable(query, table, keys, counter)) {
      requests.add(group);
      const outcome = counter.add(group, figures);
      if (isChanged(outcome)) changes.add(outcome, group);
    }
    requests.count();
    await changes.describe(query);
  } finally {
    await table.kept?.drop();
  }
  return counter.impact(figures);
}

/**
 * What the rules of a set, and the terms in them, did on the events of a table. The
 * figures are those of `countUsage` for the same events. One query groups them.
 * @throws InvalidInputError; what `query` throws
 */
export async function usageInTable(
  query: QueryRows,
  table: EventTable,
  options: UsageOptions,
): Promise<Usage> {
  const counter = new UsageCounter(options);
  const { expressions, notSent, parts, range } = counter;
  const keys = new RowKeys(table, expressions, notSent, parts);
  for await (const group of groupsInTable(query, table, keys, { range }))
    counter.add(group);
  return counter.usage();
}

/** Most requests that are added up. */
const MOST_REQUESTS = 100_000;

/** Adds up the groups with the same request, which differ in their period or label, before they are counted. */
class Requests {
  readonly #groups = new Map<EventGroup["request"], EventGroup>();

  constructor(private readonly counter: UsageCounter | undefined) {}

  add(group: EventGroup): void {
    if (!this.counter) return;
    const { request, events, first, last } = group;
    const known = this.#groups.get(request);
    this.#groups.set(request, {
      request,
      events: events + (known?.events ?? 0),
      first: Math.min(first, known?.first ?? first),
      last: Math.max(last, known?.last ?? last),
    });
    if (this.#groups.size >= MOST_REQUESTS) this.count();
  }

  count(): void {
    for (const group of this.#groups.values()) this.counter?.add(group);
    this.#groups.clear();
  }
}
