import {
  EVENT_COLUMN_NAMES,
  impactInTable,
  usageInTable,
  type EventColumnName,
  type SqlCell,
  type SqlRow,
} from "./sql";
import type { Event } from "@devid/sdk";
import {
  replayRange,
  type Impact,
  type ReplayOptions,
  type Usage,
  type UsageOptions,
} from "@devid/review/replay";
import { ClickHouse } from "./engines/clickhouse";
import { DuckDb } from "./engines/duckdb";
import type { Engine, QueryOptions } from "./engines/engine";
import { Trino } from "./engines/trino";
import { EventSourceError } from "./errors";
import { EventPlaces, type EventRange } from "./event-places";
import { DEFAULT_MAPPING, type EventMapping } from "./mapping";
import { placeOfRow, storedColumns } from "./ndjson-files";
import { parseEventSource, type EventSource } from "./source";

/** How a warehouse is opened. */
export interface WarehouseOptions extends QueryOptions {
  /** Default: the columns of docs/warehouse.md, or the members of version 4. */
  readonly mapping?: EventMapping;
  /** Seconds that a query may take; default 600. */
  readonly maxSeconds?: number;
}

/** Past events in files or in an engine. It only reads. */
export class Warehouse {
  private constructor(
    /** How messages name it. */
    readonly title: string,
    private readonly places: EventPlaces,
  ) {}

  /**
   * Opens the source that a text such as `parquet:exports/*.parquet` names.
   * @throws EventSourceError; WarehouseQueryError; WarehouseUnreachableError; the
   * reason of the signal
   *
   * @example
   * const warehouse = await Warehouse.open("parquet:exports/*.parquet");
   * try {
   *   for await (const event of warehouse.events({ start, end })) console.log(event.event_id);
   * } finally {
   *   await warehouse.close();
   * }
   */
  static async open(
    source: string,
    {
      mapping = DEFAULT_MAPPING,
      maxSeconds = 600,
      ...query
    }: WarehouseOptions = {},
  ): Promise<Warehouse> {
    const parsed = parseEventSource(source);
    const engine = await engineOf(parsed, mapping, { maxSeconds, ...query });
    try {
      const places = await EventPlaces.of(engine, mapping, query);
      return new Warehouse(engine.title, places);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** The engine that answers. */
  get engine(): Engine {
    return this.places.engine;
  }

  /** Whether the table has the environment of an event. */
  get hasEnvironments(): boolean {
    return this.places.has("environment_id");
  }

  /**
   * The events of a range with the members that an impact reads, in no order.
   *
   * @param label a column, or a member of an event such as `tags.suspect`: each event
   * then has it, as text
   */
  async *events(
    range: EventRange,
    { label, ...options }: QueryOptions & { readonly label?: string } = {},
  ): AsyncGenerator<Event> {
    const { places } = this;
    await places.readTimes(options);
    const columns = [
      ...EVENT_COLUMN_NAMES.map((name) => places.expression(name)),
      ...(label === undefined ? [] : [await places.label(label)]),
    ];
    const sql = `SELECT ${columns.join(", ")} FROM ${this.engine.table} WHERE ${places.condition(range)}`;
    for await (const rows of this.engine.query(sql, options))
      for (const row of rows) yield eventOf(row, label);
  }

  /**
   * What proposed rules would have done to the events of a range: the same impact as
   * `measureImpact`. The engine groups and counts events, and the evaluator decides each
   * group. With `isBrief`, the engine is not asked what changed events have in common.
   */
  async impact(
    options: ReplayOptions & {
      readonly environment?: string;
      readonly isBrief?: boolean;
    },
    query: QueryOptions = {},
  ): Promise<Impact> {
    const { environment, by: label } = options;
    await this.places.readTimes(query);
    const table = {
      ...(await this.places.table({ environment, label })),
      ...(options.isBrief !== true && { kept: this.engine.kept?.(query) }),
    };
    const ask = (sql: string) => this.engine.query(sql, query);
    const range = { ...replayRange(options), environment };
    const impact = await impactInTable(ask, table, options);
    const rows = await this.places.rows(range, impact.events, query);
    return rows ? { ...impact, rows } : impact;
  }

  /** What each rule, and each term in it, decided about the events of a range. */
  async usage(
    {
      environment,
      ...options
    }: UsageOptions & { readonly environment?: string },
    query: QueryOptions = {},
  ): Promise<Usage> {
    await this.places.readTimes(query);
    const table = await this.places.table({ environment });
    const ask = (sql: string) => this.engine.query(sql, query);
    const range = { ...replayRange(options), environment };
    const usage = await usageInTable(ask, table, options);
    const rows = await this.places.rows(range, usage.events, query);
    return rows ? { ...usage, rows } : usage;
  }

  async close(): Promise<void> {
    await this.engine.close();
  }
}

async function engineOf(
  source: EventSource,
  mapping: EventMapping,
  options: QueryOptions & { readonly maxSeconds: number },
): Promise<Engine> {
  switch (source.kind) {
    case "parquet":
    case "ndjson":
      return filesOf(source, mapping, options);
    case "clickhouse":
      return new ClickHouse(source, options);
    case "trino":
      return new Trino(source, options);
  }
}

async function filesOf(
  { kind, glob }: Extract<EventSource, { glob: string }>,
  mapping: EventMapping,
  options: QueryOptions,
): Promise<Engine> {
  const duckdb = await DuckDb.open({ title: `the events of ${glob}` });
  try {
    const files = await duckdb.files(glob);
    if (files.length === 0)
      throw new EventSourceError(`No file matches ${glob}.`);
    if (kind === "parquet") {
      const mapped = Object.values(mapping.columns);
      const names = mapped.filter((place) => typeof place === "string");
      await duckdb.readParquet(files, names);
    } else {
      const folder = duckdb.ownFolder();
      const stored = await storedColumns(files, folder, options);
      await duckdb.readParquet(stored, [], (path, row) =>
        placeOfRow(files[stored.indexOf(path)] ?? path, row),
      );
    }
    return duckdb;
  } catch (error) {
    await duckdb.close();
    throw error;
  }
}

/** An event that has only the member at the path of a label. */
function labelled(label: string, value: string | undefined): object {
  return label
    .split(".")
    .reduceRight<unknown>(
      (inner, name) => ({ [name]: inner }),
      value,
    ) as object;
}

/** Converts a row of `EVENT_COLUMN_NAMES`, followed by the label, to an event. */
function eventOf(row: SqlRow, label: string | undefined): Event {
  const of = (name: EventColumnName) =>
    textOf(row[EVENT_COLUMN_NAMES.indexOf(name)]);
  const score = row[EVENT_COLUMN_NAMES.indexOf("suspect_score")];
  const value = label === undefined ? undefined : textOf(row.at(-1));
  return {
    ...(label !== undefined && labelled(label, value)),
    ip_address: of("ip_address"),
    user_agent: of("user_agent"),
    origin: of("origin"),
    package_name: of("package_name"),
    bundle_id: of("bundle_id"),
    sdk: {
      platform: of("sdk_platform"),
      version: of("sdk_version"),
    } as Event["sdk"],
    event_id: of("event_id") ?? "",
    timestamp: Number(of("timestamp")),
    environment_id: of("environment_id"),
    url: of("url"),
    linked_id: of("linked_id"),
    bot: of("bot"),
    suspect_score:
      score === null || score === undefined ? undefined : Number(score),
    ip_info: {
      v4: {
        geolocation: { country_code: of("country") },
        asn: of("asn"),
        asn_name: of("asn_name"),
      },
    } as Event["ip_info"],
  };
}

function textOf(cell: SqlCell | undefined): string | undefined {
  return cell === null || cell === undefined ? undefined : String(cell);
}
