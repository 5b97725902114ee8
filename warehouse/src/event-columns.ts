/** What a column of an event holds: text, a number, or a point in time. */
export type ColumnKind = "text" | "number" | "time";

/** One column of a table of events. */
export interface EventColumn {
  readonly kind: ColumnKind;
  /** Where version 4 of an event has it: the first of these members that is there. */
  readonly paths: readonly (readonly string[])[];
  /** The name of a column by which it is told which path counts; without it, each path counts for itself. */
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
 * The columns by which rules are judged, as `devid events export --format parquet`
 * writes them; a table that is kept otherwise is mapped to them (docs/warehouse.md).
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

/** The column that holds the whole event as JSON, for labels and what has no column. */
export const WHOLE_EVENT = "event";
