import {
  allRows,
  type DescribedColumn,
  type Engine,
  type QueryOptions,
} from "./engines/engine";
import { EventSourceError, WarehouseQueryError } from "./errors";
import type { EventMapping, MappedPlace } from "./mapping";
import {
  type Dialect,
  DIALECTS,
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  eventColumns,
  type EventColumns,
  type EventColumn,
  type EventColumnName,
  type EventTable,
  WHOLE_EVENT,
} from "./sql";

/** The events of a table that a query selects. */
export interface EventRange {
  /** Unix milliseconds. */
  readonly start: number;
  /** Unix milliseconds, excluded. */
  readonly end: number;
  /** ID of the environment whose events are meant. Left out: all. */
  readonly environment?: string;
}

/** The type of a column whose type is not known. */
export const UNKNOWN_TYPE = "unknown";

/**
 * Where a table has each member of an event, as a SQL expression: by the mapping, by a
 * column's name, or by the event's structure.
 */
export class EventPlaces {
  readonly #columns = new Map<EventColumnName, string>();
  readonly #types: ReadonlyMap<string, string>;

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

  /** Whether the table has a member of an event. */
  has(name: EventColumnName): boolean {
    return this.#columns.has(name);
  }

  /** The expression for a member of an event; NULL if the table lacks it. */
  expression(name: EventColumnName): string {
    return this.#columns.get(name) ?? "NULL";
  }

  /** The columns that rules read. */
  get ruleColumns(): EventColumns {
    const found: ReadonlyMap<string, string> = this.#columns;
    return eventColumns(this.engine.dialect, (name) => found.get(name));
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
      columns: this.ruleColumns,
      ...(environment !== undefined && {
        where: this.#inEnvironment(environment),
      }),
      ...(label !== undefined && { label: await this.label(label) }),
    };
  }

  /**
   * The expression, as text, for a label: a column of the table, or a member of the
   * event such as `tags.suspect`.
   * @throws EventSourceError if the table has neither
   */
  async label(label: string): Promise<string> {
    const path = label.split(".");
    const found = (await this.#inColumn(path)) ?? this.#inEvent(path);
    if (found) return this.#dialect.asText(found.sql);
    throw new EventSourceError(
      `The label ${label} is no column of ${this.engine.title}, and there is no column "${this.mapping.event ?? WHOLE_EVENT}" with the whole event. ${this.#named}`,
    );
  }

  /** The condition that selects the events of a range. @throws EventSourceError */
  condition({ start, end, environment }: EventRange): string {
    const time = this.expression("timestamp");
    const inTime = `${time} >= ${whole(start)} AND ${time} < ${whole(end)}`;
    return environment === undefined
      ? inTime
      : `${inTime} AND ${this.#inEnvironment(environment)}`;
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
    const mapped = this.mapping.columns[name];
    if (mapped !== undefined)
      return this.#typed(column, await this.#mapped(mapped));
    const type = this.#types.get(name);
    if (type !== undefined)
      return this.#typed(column, { sql: this.#column(name), type });
    const members: (Found | undefined)[] = [];
    for (const path of column.paths) members.push(await this.#member(path));
    const found = members.filter((member) => member !== undefined);
    if (found.length === 0) return undefined;
    const [first, second] = found.map((member) => this.#typed(column, member));
    if (second === undefined) return first;
    const beside = column.beside as EventColumnName | undefined;
    const decisive = beside && EVENT_COLUMNS[beside].paths[0];
    const decided = decisive && (await this.#member(decisive));
    return decided
      ? `CASE WHEN ${decided.sql} IS NOT NULL THEN ${first} ELSE ${second} END`
      : `COALESCE(${first}, ${second})`;
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

  #typed({ kind }: EventColumn, { sql, type }: Found): string {
    const { asText, toFloat, toInteger, unixMs } = this.#dialect;
    switch (kind) {
      case "text":
        return /^(varchar|text|json member|Nullable\(String\)|LowCardinality\(Nullable\(String\)\))$/i.test(
          type,
        ) || sql.startsWith("nullIf(")
          ? sql
          : asText(sql);
      case "number":
        return toFloat(sql);
      case "time":
        if (/char|text|string/i.test(type))
          throw new EventSourceError(
            `The time in ${this.engine.title} is a text (${type}). It has to be Unix milliseconds, or the engine's own type of a time.`,
          );
        if (type === "json member") return toInteger(sql);
        return /date|time/i.test(type) ? unixMs(sql) : sql;
    }
  }
}

interface Found {
  readonly sql: string;
  /** The engine's name of its type. */
  readonly type: string;
}

const isJson = (type: string) =>
  /^(varchar|text|json|.*\bString\b.*)$/i.test(type);

const whole = (ms: number) => String(Math.ceil(ms));
