import type { SqlCell, SqlRow } from "@devid/rules/sql";
import type { Event } from "@devid/sdk";
import {
  measureImpact,
  membersRead,
  UsageCounter,
  type CountedRequest,
  type RequestMember,
  type Impact,
  type ReplayOptions,
  type Usage,
  type UsageOptions,
} from "@devid/rules/replay";
import { ClickHouse } from "./engines/clickhouse";
import { DuckDb } from "./engines/duckdb";
import type { Engine, QueryOptions } from "./engines/engine";
import { Trino } from "./engines/trino";
import { EventSourceError } from "./errors";
import { EVENT_COLUMN_NAMES, type EventColumnName } from "./event-columns";
import { EventTable, type EventRange } from "./event-table";
import { DEFAULT_MAPPING, type EventMapping } from "./mapping";
import { convertedFiles } from "./ndjson-cache";
import { parseEventSource, type EventSource } from "./source";
import { asNumber } from "./sql-text";

/** How a warehouse is opened. */
export interface WarehouseOptions extends QueryOptions {
  /** Default: the columns of docs/warehouse.md, or the members of version 4. */
  readonly mapping?: EventMapping;
  /** Seconds that a query may take; default 600. */
  readonly maxSeconds?: number;
}

/** What tells the request of an event: the columns that rules are judged by. */
const REQUEST_COLUMNS = [
  "ip_address",
  "user_agent",
  "origin",
  "sdk_platform",
  "sdk_version",
  "package_name",
  "bundle_id",
] as const satisfies readonly EventColumnName[];

/** A column that tells something of a request. */
export type RequestColumn = (typeof REQUEST_COLUMNS)[number];

/** Past events where they are kept. It only reads. */
export class Warehouse {
  private constructor(
    /** How messages name it. */
    readonly title: string,
    private readonly table: EventTable,
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
    const engine = await engineOf(parsed, { maxSeconds, ...query });
    try {
      const table = await EventTable.of(engine, mapping, query);
      return new Warehouse(engine.title, table);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** The engine that answers. */
  get engine(): Engine {
    return this.table.engine;
  }

  /** Whether the table tells of which environment an event is. */
  get tellsEnvironments(): boolean {
    return this.table.columns.has("environment_id");
  }

  /** How the table tells the parts of an event. */
  get columns(): EventTable {
    return this.table;
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
    const { table } = this;
    const columns = [
      ...EVENT_COLUMN_NAMES.map((name) => table.expression(name)),
      ...(label === undefined ? [] : [await table.label(label)]),
    ];
    const sql = `SELECT ${columns.join(", ")} FROM ${this.engine.table} WHERE ${table.condition(range)}`;
    for await (const rows of this.engine.query(sql, options))
      for (const row of rows) yield eventOf(row, label);
  }

  /**
   * The requests of a range's events, equal ones counted together by the engine. Only
   * what `columns` names is told of them.
   */
  async *requests(
    range: EventRange,
    columns: ReadonlySet<RequestColumn>,
    options: QueryOptions = {},
  ): AsyncGenerator<CountedRequest> {
    const { table } = this;
    const names = REQUEST_COLUMNS.filter((name) => columns.has(name));
    const told = names.map((name) => table.expression(name));
    const time = table.expression("timestamp");
    const { dialect } = this.engine;
    const figures = ["count(*)", `min(${time})`, `max(${time})`].map((one) =>
      asNumber(dialect, one),
    );
    const keys = told.filter((one) => one !== "NULL");
    const group = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
    const sql = `SELECT ${[...figures, ...told].join(", ")} FROM ${this.engine.table} WHERE ${table.condition(range)}${group}`;
    for await (const rows of this.engine.query(sql, options))
      for (const [events, first, last, ...values] of rows) {
        if (Number(events) === 0) continue;
        const of = (name: RequestColumn) => {
          const place = names.indexOf(name);
          return place === -1 ? undefined : textOf(values[place]);
        };
        yield {
          events: Number(events),
          first: Number(first),
          last: Number(last),
          event: requestMembers(of),
        };
      }
  }

  /**
   * What proposed rules would have done to the events of a range: the impact that
   * `measureImpact` finds.
   */
  async impact(
    options: ReplayOptions & { readonly environment?: string },
    query: QueryOptions = {},
  ): Promise<Impact> {
    const { environment, by: label } = options;
    const { range } = new UsageCounter({ ...options, rules: [] });
    const events = this.events({ ...range, environment }, { ...query, label });
    return measureImpact(events, options);
  }

  /** What each rule, and each term in it, decided about the events of a range. */
  async usage(
    {
      environment,
      ...options
    }: UsageOptions & { readonly environment?: string },
    query: QueryOptions = {},
  ): Promise<Usage> {
    const counter = new UsageCounter(options);
    const requests = this.requests(
      { ...counter.range, environment },
      columnsRead(options.rules),
      query,
    );
    for await (const request of requests) counter.add(request);
    return counter.usage();
  }

  async close(): Promise<void> {
    await this.engine.close();
  }
}

/** The columns that tell what rules read of a request. */
function columnsRead(rules: UsageOptions["rules"]): Set<RequestColumn> {
  const columns = [...membersRead(rules)].flatMap(
    (member) => COLUMNS_OF[member],
  );
  return new Set(columns);
}

const COLUMNS_OF: Readonly<Record<RequestMember, readonly RequestColumn[]>> = {
  bundle_id: ["bundle_id"],
  ip_address: ["ip_address"],
  origin: ["origin"],
  package_name: ["package_name"],
  sdk: ["sdk_platform", "sdk_version"],
  user_agent: ["user_agent"],
};

async function engineOf(
  source: EventSource,
  options: QueryOptions & { readonly maxSeconds: number },
): Promise<Engine> {
  switch (source.kind) {
    case "parquet":
    case "ndjson":
      return filesOf(source, options);
    case "clickhouse":
      return new ClickHouse(source, options);
    case "trino":
      return new Trino(source, options);
  }
}

async function filesOf(
  { kind, glob }: Extract<EventSource, { glob: string }>,
  options: QueryOptions,
): Promise<Engine> {
  const duckdb = await DuckDb.open({ title: `the events of ${glob}` });
  try {
    const files = await duckdb.files(glob);
    if (files.length === 0)
      throw new EventSourceError(`No file is named ${glob}.`);
    await duckdb.readParquet(
      kind === "parquet" ? files : await convertedFiles(files, options),
    );
    return duckdb;
  } catch (error) {
    await duckdb.close();
    throw error;
  }
}

/** An event without the members that a row tells, at the path of a label. */
function labelled(label: string, value: string | undefined): object {
  return label
    .split(".")
    .reduceRight<unknown>(
      (inner, name) => ({ [name]: inner }),
      value,
    ) as object;
}

/** A row of `EVENT_COLUMN_NAMES`, and the label behind them, as an event. */
function eventOf(row: SqlRow, label: string | undefined): Event {
  const of = (name: EventColumnName) =>
    textOf(row[EVENT_COLUMN_NAMES.indexOf(name)]);
  const score = row[EVENT_COLUMN_NAMES.indexOf("suspect_score")];
  const value = label === undefined ? undefined : textOf(row.at(-1));
  return {
    ...(label !== undefined && labelled(label, value)),
    ...requestMembers(of),
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

function requestMembers(
  of: (name: RequestColumn) => string | undefined,
): CountedRequest["event"] {
  return {
    ip_address: of("ip_address"),
    user_agent: of("user_agent"),
    origin: of("origin"),
    package_name: of("package_name"),
    bundle_id: of("bundle_id"),
    sdk: {
      platform: of("sdk_platform"),
      version: of("sdk_version"),
    } as Event["sdk"],
  };
}

function textOf(cell: SqlCell | undefined): string | undefined {
  return cell === null || cell === undefined ? undefined : String(cell);
}
