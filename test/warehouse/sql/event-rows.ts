import type { Event } from "@devid/sdk";
import fc from "fast-check";
import {
  eventColumns,
  quotedName,
  quotedText,
  type DialectName,
  type EventColumns,
} from "@devid/warehouse/sql";
import { END, START } from "../../review/replay/random-replay";
import {
  COLUMN_NAMES,
  eventValues,
  type EventValues,
} from "./random-event-values";

/** An event, and the row of a table with the same values. */
export interface EventRow {
  readonly event: Event;
  readonly cells: readonly (string | number | null)[];
}

const OTHER_NAMES = [
  "event_id",
  "timestamp",
  "url",
  "linked_id",
  "country",
  "asn",
  "asn_name",
  "bot",
  "suspect_score",
] as const;
const NAMES = [...COLUMN_NAMES, ...OTHER_NAMES];

const maybe = <Value>(...values: Value[]) => fc.constantFrom(null, ...values);

/** Events in and around the range of `random-replay.ts`, with few different values. */
export const eventRow: fc.Arbitrary<EventRow> = fc
  .record({
    known: eventValues,
    event_id: fc.uuid(),
    timestamp: fc.integer({ min: START - 2, max: END + 2 }),
    url: maybe(
      "https://a.example/x?y#z",
      "https://b.example",
      "https://B.example:443/",
      "http://b.example:81/",
      "app://x",
      "https://",
      "",
      " https://c.example/",
      "https://user@d.example/",
    ),
    linked_id: maybe(
      "u1",
      "u2",
      "",
      "\ue000",
      "\u{1f600}",
      "\u{1f600}".repeat(300),
      "a" + "\u{1f600}".repeat(300),
      "x".repeat(600),
    ),
    country: maybe("DE", "FR"),
    asn: maybe("64512", ""),
    asn_name: maybe("EXAMPLE", ""),
    bot: maybe("bad", "good", "not_detected"),
    suspect_score: maybe(0, 10, 11, 10.5),
  })
  .map(({ known, ...rest }) => {
    const row: Readonly<Record<string, string | number | null>> = {
      ...known,
      ...rest,
    };
    return {
      event: asEvent(known, rest),
      cells: NAMES.map((name) => row[name] ?? null),
    };
  });

function asEvent(
  { sdk_platform: platform, sdk_version: version, ...known }: EventValues,
  {
    country,
    asn,
    asn_name,
    ...rest
  }: Readonly<Record<(typeof OTHER_NAMES)[number], unknown>>,
): Event {
  return {
    ...known,
    ...rest,
    sdk: { platform, version },
    ip_info: {
      v4: { asn, asn_name, geolocation: { country_code: country } },
    },
  } as unknown as Event;
}

/**
 * The types for text, integers and floating-point numbers, and the statement that makes
 * a table.
 */
const TYPES: Readonly<
  Record<DialectName, readonly [text: string, integer: string, float: string]>
> = {
  duckdb: ["VARCHAR", "BIGINT", "DOUBLE"],
  clickhouse: ["Nullable(String)", "Int64", "Nullable(Float64)"],
  trino: ["varchar", "bigint", "double"],
};

/** Statements that make a table `events` of such rows. */
export function eventTables(
  dialect: DialectName,
  rows: readonly EventRow[],
): string[] {
  const [text, integer, float] = TYPES[dialect];
  const columns = NAMES.map((name) => {
    const type =
      name === "timestamp" ? integer : name === "suspect_score" ? float : text;
    return `${quotedName(dialect, name)} ${type}`;
  });
  const literal = (cell: string | number | null) =>
    cell === null
      ? "NULL"
      : typeof cell === "number"
        ? String(cell)
        : quotedText(dialect, cell);
  const values = rows.map(({ cells }) => `(${cells.map(literal).join(", ")})`);
  const engine = dialect === "clickhouse" ? "ENGINE = Memory" : "";
  return [
    `CREATE TABLE events (${columns.join(", ")}) ${engine}`,
    ...Array.from(
      { length: Math.ceil(values.length / 500) },
      (_, n) =>
        `INSERT INTO events VALUES ${values.slice(n * 500, (n + 1) * 500).join(", ")}`,
    ),
  ];
}

/** The columns of the table `events`. */
export const columnsOf = (dialect: DialectName): EventColumns =>
  eventColumns((name) => quotedName(dialect, name));
