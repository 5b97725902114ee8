import {
  allRows,
  type DescribedColumn,
  type Engine,
  type QueryOptions,
} from "./engines/engine";
import { EventSourceError, WarehouseQueryError } from "./errors";
import {
  type EventTimes,
  eventTimes,
  formOf,
  type TimeForm,
  type TimeKind,
} from "./event-times";
import type { EventMapping, MappedPlace } from "./mapping";
import {
  rowCounts,
  type RowProblem,
  unreadableRows,
} from "@devid/review/internals";
import type { ReplayRange, RowCounts } from "@devid/review/replay";
import {
  type Dialect,
  DIALECTS,
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  eventColumns,
  type EventColumn,
  type EventColumnName,
  type EventTable,
  WHOLE_EVENT,
} from "./sql";
import { whereSql } from "./sql/event-table";
/** The type of a column whose type is not known. */
const UNKNOWN_TYPE = "unknown";

/**
 * Where a table has each member of an event, as a SQL expression: by the mapping, by a
 * column's name, or by the event's structure.
 */
export class EventPlaces {
  readonly #columns = new Map<EventColumnName, string>();
  readonly #types: ReadonlyMap<string, string>;
  #times: EventTimes | undefined;
  #form: TimeForm = "ms";
  #all: KindCounts | undefined;
  readonly #duplicates = new Map<string, number>();

  private constructor(
    readonly engine: Engine,
    described: readonly DescribedColumn[],
    private readonly mapping: EventMapping,
    private readonly options: QueryOptions | undefined,
  ) {
    this.#types = new Map(described.map(({ name, type }) => [name, type]));
  }

  /**
   * Reads the columns of a table and finds the members of an event. @throws
   * EventSourceError if a mapped column does not exist, or the table has no time; the
   * errors of the engine
   */
  static async of(
    engine: Engine,
    mapping: EventMapping,
    options?: QueryOptions,
  ): Promise<EventPlaces> {
    const described = await engine.describe(options);
    const places = new EventPlaces(engine, described, mapping, options);
    if (mapping.event !== undefined) places.#checkMapped(mapping.event);
    for (const name of EVENT_COLUMN_NAMES) {
      const found = await places.#find(name);
      if (found !== undefined) places.#columns.set(name, found);
    }
    if (!places.has("timestamp"))
      throw new EventSourceError(
        `No column of ${engine.title} holds the time of an event. Say where it is with --mapping: columns: { timestamp: NAME }. ${places.#named}`,
      );
    return places;
  }

  /** Finds the form of the table's times at the first call. Until then, they count as Unix milliseconds. */
  async readTimes(options: QueryOptions): Promise<void> {
    if (this.#times === undefined || this.#all !== undefined) return;
    this.#all = await this.#kinds(undefined, options);
    this.#form = formOf(this.#all);
    this.#columns.set("timestamp", this.#times.in[this.#form]);
  }

  /** Whether the table has a member of an event. */
  has(name: EventColumnName): boolean {
    return this.#columns.has(name);
  }

  /** The expression for a member of an event; NULL if the table lacks it. */
  #expression(name: EventColumnName): string {
    return this.#columns.get(name) ?? "NULL";
  }

  /**
   * The table for the SQL of rules.
   * @param environment ID of the environment whose events are meant; left out: all
   * @throws EventSourceError
   */
  async table({
    environment,
    label,
  }: {
    readonly environment?: string;
    readonly label?: string;
  }): Promise<EventTable> {
    const { dialect, table } = this.engine;
    return {
      dialect,
      table,
      columns: eventColumns(Object.fromEntries(this.#columns)),
      where:
        environment === undefined
          ? undefined
          : this.#inEnvironment(environment),
      label: label === undefined ? undefined : await this.#label(label),
    };
  }

  /**
   * The rows of the table that are not among the counted events of a range.
   * @param events how many were counted
   */
  async rows(
    table: EventTable,
    { start, end }: ReplayRange,
    events: number,
    options: QueryOptions,
  ): Promise<RowCounts | undefined> {
    const { where } = table;
    const isAll = where === undefined && this.#all;
    const kinds = isAll || (await this.#kinds(where, options));
    const all = [...kinds.values()].reduce((sum, { all }) => sum + all, 0);
    const unreadable = [];
    let left = all - events;
    for (const [kind, { rows }] of kinds) {
      if (kind === this.#form || rows === 0) continue;
      left -= rows;
      const first = await this.#firstOf(kind, where, options);
      unreadable.push(unreadableRows(kind as RowProblem, rows, first));
    }
    const inRange = whereSql(table, start, end);
    const duplicates = await this.#duplicatesIn(inRange, events, options);
    return rowCounts({
      outside: left,
      unreadable,
      ...(this.#form === "seconds" && { times: "seconds" }),
      ...(this.#form === "iso" && { times: "ISO texts" }),
      ...(duplicates > 0 && { duplicates }),
      ...(duplicates > 0 && events > MOST_COMPARED && { isEstimate: true }),
    });
  }

  /** A condition for the rows that may be of an environment. A row without an environment may be of any. */
  #mayBe(where: string): string {
    return `(${this.#expression("environment_id")} IS NULL OR ${where})`;
  }

  /** How many rows have each kind of time, in all and in an environment. */
  async #kinds(
    where: string | undefined,
    options: QueryOptions,
  ): Promise<KindCounts> {
    const isCounted =
      where === undefined
        ? "1"
        : `CASE WHEN ${this.#mayBe(where)} THEN 1 ELSE 0 END`;
    const kinds = `SELECT ${this.#times?.kind ?? "'ms'"} AS kind, ${isCounted} AS counted FROM ${this.engine.table}`;
    const rows = await allRows(
      this.engine,
      `SELECT kind, count(*), ${this.#dialect.asInteger("sum(counted)")} FROM (${kinds}) AS t GROUP BY kind`,
      options,
    );
    return new Map(
      rows.map(([kind, all, rows]) => [
        String(kind) as TimeKind,
        { all: Number(all), rows: Number(rows) },
      ]),
    );
  }

  /** How people find the first row of a kind: by its place in a file, its event or its time. */
  async #firstOf(
    kind: TimeKind,
    where: string | undefined,
    options: QueryOptions,
  ): Promise<string> {
    const { quoteText, asText } = this.#dialect;
    const { place } = this.engine;
    const isOf = `${this.#times?.kind} = ${quoteText(kind)}`;
    const isOne = where ? `${isOf} AND ${this.#mayBe(where)}` : isOf;
    const found = place?.sql ?? `min(${asText(this.#expression("event_id"))})`;
    const [[first = null] = []] = await allRows(
      this.engine,
      `SELECT ${found} FROM ${this.engine.table} WHERE ${isOne}`,
      options,
    );
    if (first === null || first === "") return `in ${this.engine.table}`;
    return place ? place.of(Number(first)) : `event ${String(first)}`;
  }

  /**
   * How many rows of a range repeat the ID of another. Of many rows, those with a part
   * of the IDs are compared, so that memory is bounded.
   */
  async #duplicatesIn(
    where: string,
    events: number,
    options: QueryOptions,
  ): Promise<number> {
    const id = this.#columns.get("event_id");
    if (id === undefined) return 0;
    const known = this.#duplicates.get(where);
    if (known !== undefined) return known;
    const share = Math.max(1, Math.ceil(events / MOST_COMPARED));
    const { hashOf } = this.#dialect;
    const [row = []] = await allRows(
      this.engine,
      `SELECT count(*), count(DISTINCT c_id) FROM (SELECT ${hashOf(id)} AS c_id FROM ${this.engine.table} WHERE ${where} AND ${id} <> '') AS t WHERE c_id % ${share} = 0`,
      options,
    );
    const [all = 0, different = 0] = row.map(Number);
    const found = share * (all - different);
    this.#duplicates.set(where, found);
    return found;
  }

  /**
   * The expression, as text, for a label: a column of the table, or a member of the
   * event such as `tags.suspect`.
   * @throws EventSourceError if the table has neither
   */
  async #label(label: string): Promise<string> {
    const path = label.split(".");
    const found = (await this.#inColumn(path)) ?? this.#inEvent(path);
    if (found) return this.#dialect.asText(found.sql);
    throw new EventSourceError(
      `The label ${label} is no column of ${this.engine.title}, and there is no column "${this.mapping.event ?? WHOLE_EVENT}" with the whole event. ${this.#named}`,
    );
  }

  #inEnvironment(environment: string): string {
    const of = this.#columns.get("environment_id");
    if (of === undefined)
      throw new EventSourceError(
        `No column of ${this.engine.title} holds the environment of an event, so --environment cannot choose among them. Say where it is with --mapping: columns: { environment_id: NAME }.`,
      );
    return `${of} = ${this.#dialect.quoteText(environment)}`;
  }

  get #dialect(): Dialect {
    return DIALECTS[this.engine.dialect];
  }

  /** A sentence with the names of the table's columns. */
  get #named(): string {
    const names = [...this.#types.keys()];
    return `It has the columns ${names.slice(0, 40).join(", ")}.`;
  }

  async #find(name: EventColumnName): Promise<string | undefined> {
    const column: EventColumn = EVENT_COLUMNS[name];
    const all = await this.#foundOf(name, column);
    const found = all.filter(({ type }) => !COMPOSITE.test(type));
    if (found.length < all.length && this.mapping.columns[name] !== undefined)
      throw new EventSourceError(
        `The column that the mapping names for ${name} has lists or structures, and no single value. Name a member of it. ${this.#named}`,
      );
    const [first, second] = found.map((each) => this.#typed(column, each));
    if (first === undefined || second === undefined) return first;
    const beside = column.beside as EventColumnName | undefined;
    const decisive = beside && EVENT_COLUMNS[beside].paths[0];
    const decided = decisive && (await this.#member(decisive));
    return decided
      ? `CASE WHEN ${decided.sql} IS NOT NULL THEN ${first} ELSE ${second} END`
      : `COALESCE(${first}, ${second})`;
  }

  /** Where the table has a member of an event: one place, or up to one for each path. */
  async #foundOf(
    name: EventColumnName,
    { paths }: EventColumn,
  ): Promise<readonly Found[]> {
    const mapped = this.mapping.columns[name];
    if (mapped !== undefined) return [await this.#mapped(mapped)];
    const type = this.#types.get(name);
    if (type !== undefined) return [{ sql: this.#column(name), type }];
    const found: Found[] = [];
    for (const path of paths) {
      const member = await this.#member(path);
      if (member) found.push(member);
    }
    return found;
  }

  async #mapped(place: MappedPlace): Promise<Found> {
    if (typeof place === "string") {
      const found = await this.#inColumn(place.split("."));
      if (found) return found;
      throw this.#notThere(place);
    }
    const { json, path } = place;
    this.#checkMapped(json);
    return this.#inJson(json, path.split("."));
  }

  /** @throws EventSourceError if the table lacks a column that the mapping names */
  #checkMapped(column: string): void {
    if (!this.#types.has(column)) throw this.#notThere(column);
  }

  #notThere(column: string): EventSourceError {
    return new EventSourceError(
      `The mapping names the column ${column}, which is not among those of ${this.engine.title}. ${this.#named}`,
    );
  }

  /** The member of an event at a path of version 4. */
  async #member(path: readonly string[]): Promise<Found | undefined> {
    return (await this.#inColumn(path)) ?? this.#inEvent(path);
  }

  /** A column, or the member of a structured column. */
  async #inColumn(path: readonly string[]): Promise<Found | undefined> {
    const whole = path.join(".");
    const type = this.#types.get(whole);
    if (type !== undefined) return { sql: this.#column(whole), type };
    const [first = "", ...rest] = path;
    const outer = this.#types.get(first);
    if (outer === undefined || rest.length === 0) return undefined;
    if (isJson(outer)) return this.#inJson(first, rest);
    const sql = [first, ...rest]
      .map((part) => this.#dialect.quoteName(part))
      .join(".");
    return (await this.#isThere(sql)) ? { sql, type: UNKNOWN_TYPE } : undefined;
  }

  #inEvent(path: readonly string[]): Found | undefined {
    const column = this.mapping.event ?? WHOLE_EVENT;
    return this.#types.has(column) ? this.#inJson(column, path) : undefined;
  }

  #inJson(column: string, path: readonly string[]): Found {
    const { jsonMember, quoteName } = this.#dialect;
    return { sql: jsonMember(quoteName(column), path), type: "json member" };
  }

  /** In a text column that cannot be null, an empty text counts as null. */
  #column(name: string): string {
    const sql = this.#dialect.quoteName(name);
    const type = this.#types.get(name) ?? "";
    const isClickHouse = this.engine.dialect === "clickhouse";
    if (isClickHouse && type === UNKNOWN_TYPE)
      return `if(toTypeName(${sql}) LIKE '%Nullable(%', CAST(${sql} AS Nullable(String)), nullIf(toString(${sql}), ''))`;
    const isBare = isClickHouse && /^(LowCardinality\()?String\)?$/.test(type);
    return isBare ? `nullIf(${sql}, '')` : sql;
  }

  /**
   * Whether a structured column has a member: whether the engine accepts a query of the
   * member.
   */
  async #isThere(sql: string): Promise<boolean> {
    const { table } = this.engine;
    try {
      await allRows(
        this.engine,
        `SELECT ${sql} FROM ${table} LIMIT 0`,
        this.options,
      );
      return true;
    } catch (error) {
      if (error instanceof WarehouseQueryError) return false;
      throw error;
    }
  }

  #typed({ kind }: EventColumn, found: Found): string {
    const { sql, type } = found;
    const { asText, toFloat } = this.#dialect;
    switch (kind) {
      case "text":
        return /^(varchar|text|json member|Nullable\(String\)|LowCardinality\(Nullable\(String\)\))$/i.test(
          type,
        ) || sql.startsWith("nullIf(")
          ? sql
          : asText(sql);
      case "number":
        return toFloat(sql);
      case "time": {
        const { dialect, problem } = this.engine;
        this.#times = eventTimes(dialect, found, problem);
        return this.#times.in.ms;
      }
    }
  }
}

/** Names of types whose values consist of others, in any engine. */
const COMPOSITE = /^(struct|map|union|row|array|tuple|nested)\b|\[\d*\]$/i;

/** Numbers of rows by the kind of their time: of the whole table, and of one environment. */
type KindCounts = ReadonlyMap<
  TimeKind,
  { readonly all: number; readonly rows: number }
>;

/** Most IDs that are compared to find duplicates; of more rows, their number is an estimate. */
const MOST_COMPARED = 2_000_000;

interface Found {
  readonly sql: string;
  /** The engine's name of its type. */
  readonly type: string;
}

const isJson = (type: string) =>
  /^(varchar|text|json|.*\bString\b.*)$/i.test(type);
