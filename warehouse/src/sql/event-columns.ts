/** What a column of an event holds: text, a number, or a point in time. */
export type ColumnKind = "text" | "number" | "time";

/** One column of a table of events. */
export interface EventColumn {
  readonly kind: ColumnKind;
  /** The place in a version 4 event: the first of these members that exists. */
  readonly paths: readonly (readonly string[])[];
  /**
   * A column that decides which path is used: the first path if the first path of that
   * column has a value, otherwise the second. Without it, the first path that has a
   * value is used.
   */
  readonly beside?: string;
}

const text = (...path: string[]): EventColumn => ({
  kind: "text",
  paths: [path],
});

const network = (...path: string[]) =>
  [
    ["ip_info", "v4", ...path],
    ["ip_info", "v6", ...path],
  ] as const;

/**
 * The columns that impacts and usage are computed from. A mapping names the columns of other
 * tables (docs/warehouse.md).
 */
export const EVENT_COLUMNS = {
  event_id: text("event_id"),
  timestamp: { kind: "time", paths: [["timestamp"]] },
  environment_id: text("environment_id"),
  ip_address: text("ip_address"),
  user_agent: text("user_agent"),
  origin: text("origin"),
  url: text("url"),
  sdk_platform: text("sdk", "platform"),
  sdk_version: text("sdk", "version"),
  package_name: text("package_name"),
  bundle_id: text("bundle_id"),
  linked_id: text("linked_id"),
  visitor_id: text("identification", "visitor_id"),
  country: { kind: "text", paths: network("geolocation", "country_code") },
  asn: { kind: "text", paths: network("asn") },
  asn_name: { kind: "text", paths: network("asn_name"), beside: "asn" },
  bot: text("bot"),
  suspect_score: { kind: "number", paths: [["suspect_score"]] },
} as const satisfies Readonly<Record<string, EventColumn>>;

/** The name of a column of a table of events. */
export type EventColumnName = keyof typeof EVENT_COLUMNS;

export const EVENT_COLUMN_NAMES = Object.keys(
  EVENT_COLUMNS,
) as EventColumnName[];

/** The column that holds the whole event as JSON, for labels and other members without a column. */
export const WHOLE_EVENT = "event";

/**
 * The SQL expressions of a table of past events for rules and impacts, by the members of
 * events. Each is null if the event does not have the member. A missing expression means that
 * no event of the table has it. `event_id` is a text and `timestamp` Unix milliseconds, an
 * integer; neither is null. `package_name` is the app that the rules saw
 * (docs/assumptions.md, A110), and `asn` is `64512 EXAMPLE`. All others are what the column
 * of their name holds.
 */
export type EventColumns = Readonly<
  Partial<Record<EventColumnName, string>>
> & { readonly event_id: string; readonly timestamp: string };

/**
 * The expressions that rules and impacts read, for a table of version 4 events.
 * @param columns the SQL of each column, of its kind; none where the table lacks it
 *
 * @example
 * eventColumns({ event_id: '"id"', timestamp: '"time"', user_agent: '"ua"' });
 */
export function eventColumns(columns: Partial<EventColumns>): EventColumns {
  const { event_id: id, timestamp = "0", sdk_platform: platform } = columns;
  const apps = [
    columns.package_name,
    columns.bundle_id,
    platform && `CASE WHEN ${platform} = 'js' THEN '' END`,
  ].filter((app) => app !== undefined);
  return {
    ...columns,
    event_id: id === undefined ? "''" : `coalesce(${id}, '')`,
    timestamp,
    package_name:
      apps.length === 0
        ? undefined
        : `coalesce(${[...apps, "NULL"].join(", ")})`,
    asn: networkOf(columns.asn, columns.asn_name),
  };
}

/** The number of a network and its name: `64512 EXAMPLE`. */
function networkOf(
  asn: string | undefined,
  name: string | undefined,
): string | undefined {
  if (asn === undefined || name === undefined) return asn;
  return `CASE WHEN ${asn} IS NULL OR ${asn} = '' OR ${name} IS NULL OR ${name} = '' THEN ${asn} ELSE concat(${asn}, ' ', ${name}) END`;
}
