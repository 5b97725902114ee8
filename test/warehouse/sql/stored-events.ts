import type { Event } from "@devid/sdk";
import {
  type DialectName,
  eventColumns,
  type EventColumns,
  quotedName,
  quotedText,
} from "@devid/warehouse/sql";

type Cell = string | number | null;

const networkOf = ({ ip_info }: Event) => ip_info?.v4 ?? ip_info?.v6;

/** The columns of a table of random events, and what each holds of an event. */
const CELLS: Readonly<Record<string, (event: Event) => Cell | undefined>> = {
  event_id: ({ event_id }) => event_id,
  timestamp: ({ timestamp }) => timestamp,
  origin: ({ origin }) => origin,
  user_agent: ({ user_agent }) => user_agent,
  ip_address: ({ ip_address }) => ip_address,
  sdk_platform: ({ sdk }) => sdk?.platform,
  sdk_version: ({ sdk }) => sdk?.version,
  package_name: ({ package_name }) => package_name,
  bundle_id: ({ bundle_id }) => bundle_id,
  url: ({ url }) => url,
  linked_id: ({ linked_id }) => linked_id,
  bot: ({ bot }) => bot,
  suspect_score: ({ suspect_score }) => suspect_score,
  country: (event) => networkOf(event)?.geolocation?.country_code,
  asn: (event) => networkOf(event)?.asn,
  asn_name: (event) => networkOf(event)?.asn_name,
};

const TYPES: Readonly<
  Record<DialectName, Readonly<Record<"text" | "number" | "time", string>>>
> = {
  duckdb: { text: "VARCHAR", number: "DOUBLE", time: "BIGINT" },
  clickhouse: {
    text: "Nullable(String)",
    number: "Nullable(Float64)",
    time: "Int64",
  },
  trino: { text: "varchar", number: "double", time: "bigint" },
};

const KINDS = { timestamp: "time", suspect_score: "number" } as const;

/** The columns with their types. */
export const typedColumns = (dialect: DialectName): string =>
  Object.keys(CELLS)
    .map((name) => {
      const kind = KINDS[name as keyof typeof KINDS] ?? "text";
      return `${quotedName(dialect, name)} ${TYPES[dialect][kind]}`;
    })
    .join(", ");

/** The cells of an event by their columns. */
export const storedRow = (event: Event): Readonly<Record<string, Cell>> =>
  Object.fromEntries(
    Object.entries(CELLS).map(([name, of]) => [name, of(event) ?? null]),
  );

/** Rows of one statement. */
const INSERTED_AT_ONCE = 500;

/** Statements that make a table `events`. */
export function eventTables(
  dialect: DialectName,
  events: readonly Event[],
): string[] {
  const literal = (cell: Cell) =>
    typeof cell === "string" ? quotedText(dialect, cell) : String(cell);
  const rows = events.map(
    (one) => `(${Object.values(storedRow(one)).map(literal).join(", ")})`,
  );
  const engine = dialect === "clickhouse" ? " ENGINE = Memory" : "";
  const statements = [
    `CREATE TABLE events (${typedColumns(dialect)})${engine}`,
  ];
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
    statements.push(
      `INSERT INTO events VALUES ${rows.slice(at, at + INSERTED_AT_ONCE).join(", ")}`,
    );
  return statements;
}

/** The columns of the table `events`, as rules and impacts read them. */
export const columnsOf = (dialect: DialectName): EventColumns =>
  eventColumns(
    Object.fromEntries(
      Object.keys(CELLS).map((name) => [name, quotedName(dialect, name)]),
    ),
  );
