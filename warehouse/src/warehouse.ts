import {
  type EventTable,
  impactInTable,
  type QueryRows,
  usageInTable,
} from "./sql";
import {
  replayRange,
  type Impact,
  type ReplayOptions,
  type Usage,
  UsageCounter,
  type UsageOptions,
} from "@devid/review/replay";
import { ClickHouse } from "./engines/clickhouse";
import { DuckDb } from "./engines/duckdb";
import type { Engine, QueryOptions } from "./engines/engine";
import { Trino } from "./engines/trino";
import { EventSourceError } from "./errors";
import { EventPlaces } from "./event-places";
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

/** The rules and events of an impact. */
export type WarehouseImpactOptions = ReplayOptions & {
  /** ID of the environment whose events count. Default: all events. */
  readonly environment?: string;
};

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
   *   console.log(await warehouse.usage({ rules, start, end }));
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
   * What proposed rules would have done to the events of a range: the same impact as
   * `measureImpact`. The engine groups and counts events, and the evaluator decides each
   * group.
   */
  async impact(
    options: WarehouseImpactOptions,
    query: QueryOptions = {},
    usage?: UsageCounter,
  ): Promise<Impact> {
    return this.#count(options, query, (ask, table) => {
      const kept = this.engine.kept?.(query);
      return impactInTable(ask, { ...table, kept }, options, usage);
    });
  }

  /** The impact and the usage of the same events, which are grouped once. */
  async impactAndUsage(
    options: WarehouseImpactOptions & Pick<UsageOptions, "rules">,
    query: QueryOptions = {},
  ): Promise<{ readonly impact: Impact; readonly usage: Usage }> {
    const counter = new UsageCounter(options);
    const impact = await this.impact(options, query, counter);
    const { rows } = impact;
    return { impact, usage: { ...counter.usage(), ...(rows && { rows }) } };
  }

  /** What each rule, and each term in it, decided about the events of a range. */
  async usage(
    {
      environment,
      ...options
    }: UsageOptions & { readonly environment?: string },
    query: QueryOptions = {},
  ): Promise<Usage> {
    return this.#count({ ...options, environment }, query, (ask, table) =>
      usageInTable(ask, table, options),
    );
  }

  /** Counts the events of a range, and the rows of the table that are not among them. */
  async #count<Counted extends { readonly events: number }>(
    options: Pick<
      WarehouseImpactOptions,
      "start" | "end" | "by" | "environment"
    >,
    query: QueryOptions,
    count: (ask: QueryRows, table: EventTable) => Promise<Counted>,
  ): Promise<Counted> {
    const { environment, by: label } = options;
    const { places, engine } = this;
    await places.readTimes(query);
    const table = await places.table({ environment, label });
    const counted = await count((sql) => engine.query(sql, query), table);
    const range = replayRange(options);
    const rows = await places.rows(table, range, counted.events, query);
    return rows ? { ...counted, rows } : counted;
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
