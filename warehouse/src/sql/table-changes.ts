import { type Event, originOf } from "@devid/sdk";
import {
  FrequentValues,
  countedStart,
  LONGEST_VALUE,
  MOST_EXAMPLES,
  MOST_TOP_VALUES,
  type ComparisonCounter,
} from "@devid/review/internals";
import type { Attribute, Change, TopValue } from "@devid/review/replay";
import { DIALECTS } from "./dialects";
import type { Dialect } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import {
  type EventTable,
  type KeptRows,
  type SqlCell,
  type SqlRow,
  whereSql,
} from "./event-table";
import type { RowKeys } from "./row-keys";

/** The keys of events that one set allows and the other denies. */
export interface ChangedKeys {
  readonly outcome: "newlyDenied" | "newlyAllowed";
  readonly cells: readonly SqlCell[];
}

/** The columns that describe events. */
const DETAILS = [
  "eventId",
  "timestamp",
  "origin",
  "url",
  "country",
  "asn",
  "userAgent",
  "linkedId",
  "bot",
  "suspectScore",
] as const satisfies readonly (keyof EventColumns)[];
type Detail = (typeof DETAILS)[number];

/** The event of the details of a row, with the members that a change is counted by. */
export function eventOfDetails(details: SqlRow): Event {
  const of = (name: Detail) => details[DETAILS.indexOf(name)] ?? undefined;
  const score = of("suspectScore");
  return {
    event_id: String(of("eventId") ?? ""),
    timestamp: Number(of("timestamp")),
    origin: of("origin"),
    url: of("url"),
    user_agent: of("userAgent"),
    linked_id: of("linkedId"),
    bot: of("bot"),
    suspect_score: score === undefined ? undefined : Number(score),
    ip_info: {
      v4: { asn: of("asn"), geolocation: { country_code: of("country") } },
    },
  } as unknown as Event;
}

const ATTRIBUTES = [
  "origin",
  "country",
  "asn",
  "userAgent",
  "linkedId",
] as const satisfies readonly Attribute[];
/** Stands in a row for all events of an outcome. */
const TOTALS = ATTRIBUTES.length;

type Outcome = ChangedKeys["outcome"];
const OUTCOMES: readonly Outcome[] = ["newlyDenied", "newlyAllowed"];

/** What the events of one outcome have in common, as far as rows were read. */
interface FoundChange {
  readonly top: Record<Attribute, TopValue[]>;
  /**
   * A row has an origin or an address. Origins are counted here, because both forms may
   * name the same origin.
   */
  readonly origins: FrequentValues;
  readonly examples: string[];
  totals: readonly number[];
}

/** The change of no events. */
export function emptyChange(): Change {
  return changeOf(nothingFound());
}

function nothingFound(): FoundChange {
  return {
    top: { origin: [], country: [], asn: [], userAgent: [], linkedId: [] },
    origins: new FrequentValues(),
    examples: [],
    totals: [0, 0, 0, 0, 0],
  };
}

function changeOf({ top, origins, examples, totals }: FoundChange): Change {
  const [events = 0, badBots = 0, bots = 0, suspect = 0, scored = 0] = totals;
  const origin = origins
    .top(MOST_TOP_VALUES)
    .map(({ value, events, missed }) => ({
      ...(value !== undefined && { value }),
      events,
      ...(missed > 0 && { atMost: events + missed }),
    }));
  return {
    events,
    top: { ...top, origin },
    badBots,
    bots,
    suspect: { events: suspect, scored },
    examples,
  };
}

/** Asks what the changed events of a table have in common. */
export class TableChanges {
  readonly #dialect: Dialect;
  readonly #found: Readonly<Record<Outcome, FoundChange>> = {
    newlyDenied: nothingFound(),
    newlyAllowed: nothingFound(),
  };

  readonly #columns: Partial<Record<Detail, string>>;
  readonly #expressions: Readonly<Record<string, string>>;

  constructor(
    private readonly table: EventTable,
    private readonly keys: RowKeys,
    private readonly counter: ComparisonCounter,
    private readonly changed: readonly ChangedKeys[],
    /** The groups of rows with their numbers, where they could be kept. */
    private readonly kept?: KeptRows,
  ) {
    this.#dialect = DIALECTS[table.dialect];
    const names = DETAILS.filter((name) => table.columns[name] !== undefined);
    const named = (name: Detail) => `x_${name.toLowerCase()}`;
    this.#columns = Object.fromEntries(
      names.map((name) => [name, named(name)]),
    );
    this.#expressions = Object.fromEntries(
      names.map((name) => [named(name), table.columns[name] ?? "NULL"]),
    );
  }

  /** Whether the keys are too many for a query. Then `everyRowSql` is asked in place of the other queries. */
  get isTooLong(): boolean {
    const { mostCharacters } = this.#dialect;
    const length = ({ cells }: ChangedKeys) =>
      40 * cells.length + cells.join().length;
    let left = mostCharacters;
    return this.changed.some((one) => (left -= length(one)) < 0);
  }

  /** Every row of the range: its keys, and the details of `eventOfRow`. */
  everyRowSql(): string {
    const { start, end } = this.counter.range;
    const rows = this.keys.rows(
      whereSql(this.table, start, end),
      this.#expressions,
    );
    const details = DETAILS.map((name) => this.#columns[name] ?? "NULL");
    return `SELECT ${[...this.keys.names, ...details].join(", ")} FROM (${rows}) AS t`;
  }

  /**
   * The most frequent values of each attribute and the totals, of both outcomes: rows of
   * an outcome, an attribute, a value, and numbers of events.
   */
  valuesSql(): string {
    const { quoteText, asFloat, asInteger } = this.#dialect;
    const { start, end } = this.counter.range;
    const { bot, suspectScore } = this.#columns;
    const attributes = ATTRIBUTES.map((name) => this.#attributeSql(name));
    const isBot = (...values: string[]) =>
      bot === undefined
        ? "0"
        : `CASE WHEN ${bot} IN (${values.map(quoteText).join(", ")}) THEN 1 ELSE 0 END`;
    const score = suspectScore ?? "NULL";
    const threshold = asFloat(String(this.counter.suspectThreshold));
    const isSuspect = `CASE WHEN ${asFloat(score)} > ${threshold} THEN 1 ELSE 0 END`;
    const isScored = `CASE WHEN ${score} IS NULL THEN 0 ELSE 1 END`;
    const rows = `SELECT outcome, ${[
      ...attributes.map((sql, i) => `${sql} AS attribute${i}`),
      `${isBot("bad")} AS is_bad`,
      `${isBot("bad", "good")} AS is_bot`,
      `${isSuspect} AS is_suspect`,
      `${isScored} AS is_scored`,
    ].join(
      ", ",
    )} FROM (${this.#changedRows(whereSql(this.table, start, end))}) AS t`;
    const kinds = Array.from(
      { length: TOTALS + 1 },
      (_, kind) => `SELECT ${kind} AS kind`,
    ).join(" UNION ALL ");
    const value = `CASE ${attributes.map((_, i) => `WHEN kind = ${i} THEN attribute${i}`).join(" ")} END`;
    const sums = ["is_bad", "is_bot", "is_suspect", "is_scored"].map(
      (name) => `sum(${name}) AS ${name.replace("is_", "n_")}`,
    );
    const counted = `SELECT outcome, kind, value, count(*) AS events, ${sums.join(", ")} FROM (SELECT *, ${value} AS value FROM (${rows}) AS t CROSS JOIN (${kinds}) AS k) AS t GROUP BY outcome, kind, value`;
    const numbers = ["n_bad", "n_bot", "n_suspect", "n_scored"].map(asInteger);
    return this.#dialect.first({
      columns: `outcome, kind, value, events, ${numbers.join(", ")}`,
      rows: counted,
      count: MOST_TOP_VALUES,
      by: ["outcome", "kind"],
      order: `events DESC, CASE WHEN value IS NULL THEN 1 ELSE 0 END, ${this.#unitOrder("value")}`,
      // Both forms of an origin are counted here.
      all: "kind = 0",
      key: "value",
    });
  }

  /** Reads a row of `valuesSql`. */
  addValues([outcome, kind, cell, ...numbers]: SqlRow): void {
    const found = this.#found[OUTCOMES[Number(outcome) - 1] ?? "newlyDenied"];
    const counts = numbers.map(Number);
    const [events = 0] = counts;
    const value =
      cell === null || cell === undefined ? undefined : String(cell);
    if (Number(kind) === TOTALS) {
      found.totals = counts;
      return;
    }
    const attribute = ATTRIBUTES[Number(kind)];
    if (attribute === undefined) return;
    if (attribute === "origin") found.origins.add(asOrigin(value), events);
    else
      found.top[attribute].push({
        ...(value !== undefined && { value }),
        events,
      });
  }

  /**
   * Selects the newest events of an outcome, which are within the given stretches of
   * time.
   */
  examplesSql(
    outcome: Outcome,
    stretches: readonly { readonly first: number; readonly last: number }[],
  ): string {
    const { eventId = "''", timestamp = "0" } = this.#columns;
    const start = Math.min(...stretches.map(({ first }) => first));
    const end = Math.max(...stretches.map(({ last }) => last)) + 1;
    const times = stretches.map(
      ({ first, last }) =>
        `${this.table.columns.timestamp} BETWEEN ${first} AND ${last}`,
    );
    const where = `${whereSql(this.table, start, end)} AND (${times.join(" OR ")})`;
    return `SELECT ${eventId} FROM (${this.#changedRows(where, outcome)}) AS t ORDER BY ${timestamp} DESC, ${eventId} LIMIT ${MOST_EXAMPLES}`;
  }

  addExample(outcome: Outcome, eventId: string): void {
    this.#found[outcome].examples.push(eventId);
  }

  change(outcome: Outcome): Change {
    return changeOf(this.#found[outcome]);
  }

  /**
   * The rows that meet a condition and whose outcome changes, with the number of the
   * outcome (from 1) and the details of events. The changed keys are a table of the
   * query. As a condition, each row would be compared with all of them.
   */
  #changedRows(where: string, outcome?: Outcome): string {
    const { asInteger, join, rowsOf } = this.#dialect;
    const { names } = this.keys;
    const changed = this.changed.filter(
      (one) => outcome === undefined || one.outcome === outcome,
    );
    const isText = (name: string) => name.startsWith("v_");
    const keys = rowsOf(
      [...names.map((name) => `k_${name}`), "outcome"],
      changed.map(({ outcome, cells }) => [
        ...cells.map((cell, i) =>
          isText(names[i] ?? "") ? String(cell) : BigInt(String(cell)),
        ),
        BigInt(OUTCOMES.indexOf(outcome) + 1),
      ]),
    );
    const equal = names.map(
      (name) => `${isText(name) ? name : asInteger(name)} = k_${name}`,
    );
    const joined = (rows: string) =>
      `FROM ${rows} ${join} (${keys}) AS k ON ${equal.join(" AND ") || "1 = 1"}`;
    const { table, numbers } = this.table;
    if (this.kept && numbers) {
      // The names that the table's own columns have are not known here.
      const found = `SELECT ${numbers.each("numbers")} AS "devid changed", outcome AS "devid outcome" ${joined(`${this.kept.table} AS t`)}`;
      const details = Object.entries(this.#expressions).map(
        ([name, sql]) => `${sql} AS ${name}, `,
      );
      return `SELECT ${details.join("")}"devid outcome" AS outcome FROM ${table} ${join} (${found}) AS k ON ${numbers.sql} = "devid changed" WHERE ${where}`;
    }
    const rows = this.keys.rows(where, this.#expressions);
    return names.length === 0
      ? `SELECT *, ${OUTCOMES.indexOf(changed[0]?.outcome ?? "newlyDenied") + 1} AS outcome FROM (${rows}) AS t`
      : `SELECT * FROM (${rows}) AS t ${join} (${keys}) AS k ON ${equal.join(" AND ")}`;
  }

  #attributeSql(name: Attribute): string {
    const columns = this.#columns;
    const dialect = this.#dialect;
    if (name !== "origin") {
      const column = columns[name];
      return column === undefined
        ? dialect.asText("NULL")
        : this.#cut(dialect.asText(column));
    }
    const { origin, url } = columns;
    // Only the scheme and the host of an address matter.
    const site =
      url &&
      dialect.replaceMatches(
        url,
        `\\A(https?://[0-9A-Za-z.-]+(:[0-9]+)?)([/?#][${dialect.patternCharacter(0)}-${dialect.patternCharacter(0x10ffff)}]*)?\\z`,
        "$1",
      );
    const whens = [
      origin &&
        `WHEN ${origin} IS NOT NULL THEN concat('o', ${this.#cut(origin)})`,
      site && `WHEN ${url} IS NOT NULL THEN concat('u', ${site})`,
    ].filter((when) => when !== undefined);
    return whens.length === 0
      ? dialect.asText("NULL")
      : `CASE ${whens.join(" ")} END`;
  }

  /** The first 512 units of UTF-16, as the replay counts longer values. */
  #cut(text: string): string {
    const dialect = this.#dialect;
    const [first, last, mark] = [0x10000, 0x10ffff, 0xffff].map((code) =>
      dialect.patternCharacter(code),
    );
    const marked = dialect.replaceMatches(
      text,
      `([${first}-${last}])`,
      "$1\uffff",
    );
    const halved = dialect.replaceMatches(
      dialect.startOf(marked, LONGEST_VALUE),
      `[${first}-${last}]\\z`,
      "\ufffd",
    );
    const cut = dialect.replaceMatches(halved, `${mark}`, "");
    return `CASE WHEN ${dialect.lengthOf(text)} <= ${LONGEST_VALUE / 2} THEN ${text} ELSE ${cut} END`;
  }

  /** A text that engines sort in the order of UTF-16 units. */
  #unitOrder(text: string): string {
    const dialect = this.#dialect;
    const [first, last] = [0xe000, 0xffff].map((code) =>
      dialect.patternCharacter(code),
    );
    return dialect.replaceMatches(text, `([${first}-${last}])`, "\u{10ffff}$1");
  }
}

/** The origin of a value, which is `o` and an origin, or `u` and an address. */
function asOrigin(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.slice(1);
  return value.startsWith("o") ? text : countedStart(originOf({ url: text }));
}
