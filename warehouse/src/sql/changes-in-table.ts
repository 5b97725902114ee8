import { type Event, originOf } from "@devid/sdk";
import {
  CHANGED_OUTCOMES,
  type ChangedOutcome,
  countedStart,
  type ImpactCounter,
  isChanged,
  LONGEST_VALUE,
  MOST_EXAMPLES,
  MOST_TOP_VALUES,
  SUSPECT_THRESHOLD,
} from "@devid/review/internals";
import type { Attribute } from "@devid/review/replay";
import { type Dialect, DIALECTS } from "./dialects";
import type { EventColumns } from "./event-columns";
import {
  type EventTable,
  type QueryRows,
  type SqlCell,
  type SqlRow,
  whereSql,
} from "./event-table";
import type { TableGroup } from "./groups-in-table";
import type { RowKeys } from "./row-keys";

/** Most groups of changed events whose keys are kept. */
const MOST_CHANGED = 100_000;

/** The columns that describe events. */
const DETAILS = [
  "event_id",
  "timestamp",
  "origin",
  "url",
  "country",
  "asn",
  "user_agent",
  "linked_id",
  "bot",
  "suspect_score",
] as const satisfies readonly (keyof EventColumns)[];
type Detail = (typeof DETAILS)[number];

/** The column of each attribute by which changed events are counted. */
const COLUMN_OF: Readonly<Record<Attribute, Detail>> = {
  origin: "origin",
  country: "country",
  asn: "asn",
  userAgent: "user_agent",
  linkedId: "linked_id",
};
const ATTRIBUTES = Object.keys(COLUMN_OF) as Attribute[];
/** Stands in a row for all events of an outcome. */
const TOTALS = ATTRIBUTES.length;

/** Finds what the changed events of a table have in common, for a counter. */
export class ChangesInTable {
  readonly #dialect: Dialect;
  readonly #changed = new Map<
    string,
    { readonly outcome: ChangedOutcome; readonly keys: TableGroup["keys"] }
  >();
  /** The times of the last events of groups, the newest first. */
  readonly #lasts: Record<ChangedOutcome, number[]> = {
    newlyDenied: [],
    newlyAllowed: [],
  };
  readonly #columns: Partial<Record<Detail, string>>;
  readonly #expressions: Readonly<Record<string, string>>;

  constructor(
    private readonly table: EventTable,
    private readonly keys: RowKeys,
    private readonly counter: ImpactCounter,
  ) {
    this.#dialect = DIALECTS[table.dialect];
    const names = DETAILS.filter((name) => table.columns[name] !== undefined);
    const named = (name: Detail) => `x_${name}`;
    this.#columns = Object.fromEntries(
      names.map((name) => [name, named(name)]),
    );
    this.#expressions = Object.fromEntries(
      names.map((name) => [named(name), table.columns[name] ?? "NULL"]),
    );
  }

  /** Keeps a group of changed events. */
  add(outcome: ChangedOutcome, { id, keys, last }: TableGroup): void {
    if (this.#changed.size < MOST_CHANGED)
      this.#changed.set(id, { outcome, keys });
    const lasts = this.#lasts[outcome];
    lasts.push(last);
    lasts.sort((a, b) => b - a).splice(MOST_EXAMPLES);
  }

  /** Asks for what the events of the groups have in common. */
  async describe(query: QueryRows): Promise<void> {
    if (this.#changed.size === 0) return;
    if (this.#isTooMuch) return this.#describeEach(query);
    for await (const rows of query(this.#valuesSql()))
      for (const row of rows) this.#addValues(row);
    for await (const rows of query(this.#examplesSql()))
      for (const [outcome, id, time] of rows)
        this.#changeOf(outcome).addExample({
          event_id: String(id),
          timestamp: Number(time),
        });
  }

  /** Whether the keys fit into no query. */
  get #isTooMuch(): boolean {
    let left = this.#dialect.mostCharacters;
    for (const { keys } of this.#changed.values())
      left -= 40 * keys.length + keys.join().length;
    return left < 0 || this.#changed.size >= MOST_CHANGED;
  }

  /** Looks at each row of the range. */
  async #describeEach(query: QueryRows): Promise<void> {
    const { names } = this.keys;
    const details = DETAILS.map((name) => this.#columns[name] ?? "NULL");
    for await (const rows of query(
      `SELECT ${[...names, ...details].join(", ")} FROM (${this.#rowsSince()}) AS t`,
    ))
      for (const row of rows) {
        const request = this.keys.request(row.slice(0, names.length));
        const outcome = this.counter.outcomeOf({ request });
        if (isChanged(outcome))
          this.counter.changes[outcome].add(
            eventOfDetails(row.slice(names.length)),
          );
      }
  }

  /** The rows of the range since a time, with their keys and details. */
  #rowsSince(time?: number): string {
    return this.keys.rows(this.#whereSince(time), this.#expressions);
  }

  #whereSince(time = this.counter.range.start): string {
    return whereSql(this.table, time, this.counter.range.end);
  }

  /**
   * The most frequent values of each attribute and the totals, of both outcomes: rows of
   * an outcome, an attribute, a value, and numbers of events.
   */
  #valuesSql(): string {
    const { quoteText, asFloat, asInteger } = this.#dialect;
    const { bot = "NULL", suspect_score: score = "NULL" } = this.#columns;
    const threshold = asFloat(String(SUSPECT_THRESHOLD));
    const conditions = [
      `${bot} = ${quoteText("bad")}`,
      `${bot} IN (${quoteText("bad")}, ${quoteText("good")})`,
      `${score} IS NOT NULL`,
      `${asFloat(score)} > ${threshold}`,
    ];
    const rows = `SELECT outcome, ${[
      ...ATTRIBUTES.map((name, i) => `${this.#attributeSql(name)} AS a${i}`),
      ...conditions.map(
        (sql, i) => `CASE WHEN ${sql} THEN 1 ELSE 0 END AS b${i}`,
      ),
    ].join(", ")} FROM (${this.#changedRows()}) AS t`;
    const kinds = Array.from(
      { length: TOTALS + 1 },
      (_, kind) => `SELECT ${kind} AS kind`,
    ).join(" UNION ALL ");
    const value = `CASE ${ATTRIBUTES.map((_, i) => `WHEN kind = ${i} THEN a${i}`).join(" ")} END`;
    const sums = conditions.map((_, i) => `sum(b${i}) AS n${i}`);
    const counted = `SELECT outcome, kind, value, count(*) AS events, ${sums.join(", ")} FROM (SELECT *, ${value} AS value FROM (${rows}) AS t CROSS JOIN (${kinds}) AS k) AS t GROUP BY outcome, kind, value`;
    const numbers = conditions.map((_, i) => asInteger(`n${i}`));
    return this.#dialect.first({
      columns: `outcome, kind, value, events, ${numbers.join(", ")}`,
      rows: counted,
      count: MOST_TOP_VALUES,
      by: ["outcome", "kind"],
      order: `events DESC, CASE WHEN value IS NULL THEN 1 ELSE 0 END, value`,
      // A row has an origin or an address. Both forms may name the same origin.
      all: "kind = 0",
      key: "value",
    });
  }

  #addValues([outcome, kind, cell, ...numbers]: SqlRow): void {
    const change = this.#changeOf(outcome);
    const [events = 0, badBots = 0, bots = 0, scored = 0, suspect = 0] =
      numbers.map(Number);
    const attribute = ATTRIBUTES[Number(kind)];
    if (attribute === undefined) {
      change.addTotals({ events, badBots, bots, scored, suspect });
      return;
    }
    const value = typeof cell === "string" ? cell : undefined;
    const isOrigin = attribute === "origin";
    change.addValue(attribute, isOrigin ? asOrigin(value) : value, events);
  }

  #changeOf(outcome: SqlRow[number] | undefined) {
    return this.counter.changes[
      CHANGED_OUTCOMES[Number(outcome)] ?? "newlyDenied"
    ];
  }

  /** The newest events of each outcome. Events older than the last ones of enough groups are none of them. */
  #examplesSql(): string {
    const { event_id: id = "''", timestamp: time = "0" } = this.#columns;
    const since = CHANGED_OUTCOMES.map((outcome) => {
      const lasts = this.#lasts[outcome];
      return lasts.length === 0 ? Infinity : (lasts[MOST_EXAMPLES - 1] ?? 0);
    });
    const { start } = this.counter.range;
    return this.#dialect.first({
      columns: `outcome, ${id}, ${time}`,
      rows: this.#changedRows(Math.max(start, Math.min(...since))),
      count: MOST_EXAMPLES,
      by: ["outcome"],
      order: `${time} DESC, ${id}`,
    });
  }

  /**
   * The rows since a time whose outcome changes, with the place of the outcome and the
   * details of events. The changed keys are a table of the query. As a condition, each
   * row would be compared with all of them.
   */
  #changedRows(time?: number): string {
    const { asInteger, join, rowsOf } = this.#dialect;
    const { names } = this.keys;
    const rows = this.#rowsSince(time);
    const changed = [...this.#changed.values()];
    const placeOf = (outcome: ChangedOutcome) =>
      CHANGED_OUTCOMES.indexOf(outcome);
    if (names.length === 0)
      return `SELECT *, ${placeOf(changed[0]?.outcome ?? "newlyDenied")} AS outcome FROM (${rows}) AS t`;
    const isText = (name: string) => name.startsWith("v_");
    const keys = rowsOf(
      [...names.map((name) => `k_${name}`), "outcome"],
      changed.map(({ outcome, keys }) => [
        ...keys.map((cell, i) =>
          isText(names[i] ?? "") ? String(cell) : BigInt(String(cell)),
        ),
        BigInt(placeOf(outcome)),
      ]),
    );
    const equal = names.map(
      (name) => `${isText(name) ? name : asInteger(name)} = k_${name}`,
    );
    const joined = (from: string) =>
      `FROM ${from} ${join} (${keys}) AS k ON ${equal.join(" AND ")}`;
    const { table, kept } = this.table;
    if (kept?.table === undefined)
      return `SELECT * ${joined(`(${rows}) AS t`)}`;
    // The names that the table's own columns have are not known here.
    const numbers = `SELECT unnest(numbers) AS "devid changed", outcome AS "devid outcome" ${joined(`${kept.table} AS t`)}`;
    const details = Object.entries(this.#expressions).map(
      ([name, sql]) => `${sql} AS ${name}`,
    );
    return `SELECT ${[...details, '"devid outcome" AS outcome'].join(", ")} FROM ${table} ${join} (${numbers}) AS k ON ${kept.number} = "devid changed" WHERE ${this.#whereSince(time)}`;
  }

  #attributeSql(name: Attribute): string {
    const { asText, replaceMatches, startOf } = this.#dialect;
    const text = (column: string | undefined) =>
      column && startOf(asText(column), LONGEST_VALUE);
    const { origin, url } = this.#columns;
    if (name !== "origin")
      return text(this.#columns[COLUMN_OF[name]]) ?? asText("NULL");
    // Only the scheme and the host of an address matter.
    const site =
      url &&
      replaceMatches(
        url,
        "\\A(https?://[0-9A-Za-z.-]+(:[0-9]+)?)([/?#].*)?\\z",
        "$1",
      );
    const whens = [
      origin && `WHEN ${origin} IS NOT NULL THEN concat('o', ${text(origin)})`,
      site && `WHEN ${url} IS NOT NULL THEN concat('u', ${site})`,
    ].filter((when) => when !== undefined);
    return whens.length === 0 ? asText("NULL") : `CASE ${whens.join(" ")} END`;
  }
}

/** The origin of a value, which is `o` and an origin, or `u` and an address. */
function asOrigin(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.slice(1);
  return value.startsWith("o") ? text : countedStart(originOf({ url: text }));
}

/** The event of a row of `DETAILS`, with the members that a change is counted by. */
function eventOfDetails(details: SqlRow): Event {
  const of: Partial<Record<Detail, SqlCell>> = {};
  for (const [i, name] of DETAILS.entries()) of[name] = details[i] ?? undefined;
  const { asn, country, suspect_score: score } = of;
  return {
    ...of,
    event_id: String(of.event_id ?? ""),
    timestamp: Number(of.timestamp),
    suspect_score: score === undefined ? undefined : Number(score),
    ip_info: { v4: { asn, geolocation: { country_code: country } } },
  } as unknown as Event;
}
