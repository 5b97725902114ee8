import type { Event } from "@devid/sdk";
import fc from "fast-check";
import { quotedText, type EventColumns } from "../../../rules/src/sql";
import { eventColumns } from "../../../rules/src/sql";
import { END, START } from "../replay/random-replay";
import { COLUMN_NAMES, toldEvent, type ToldEvent } from "./told-events";

/** An event, and the row of a table that tells the same. */
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

/** Events in and around the range of `random-replay.ts`, few of whose values differ. */
export const eventRow: fc.Arbitrary<EventRow> = fc
  .record({
    told: toldEvent,
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
  .map(({ told, ...rest }) => {
    const row: Readonly<Record<string, string | number | null>> = {
      ...told,
      ...rest,
    };
    return {
      event: asEvent(told, rest),
      cells: NAMES.map((name) => row[name] ?? null),
    };
  });

function asEvent(
  { sdk_platform: platform, sdk_version: version, ...told }: ToldEvent,
  {
    country,
    asn,
    asn_name,
    ...rest
  }: Readonly<Record<(typeof OTHER_NAMES)[number], unknown>>,
): Event {
  return {
    ...told,
    ...rest,
    sdk: { platform, version },
    ip_info: {
      v4: { asn, asn_name, geolocation: { country_code: country } },
    },
  } as unknown as Event;
}

/** Statements that make a table of such rows, with the flags of bots as a warehouse keeps them. */
export function duckDbTable(rows: readonly EventRow[]): string[] {
  const types = NAMES.map((name) =>
    name === "timestamp"
      ? "BIGINT"
      : name === "suspect_score"
        ? "DOUBLE"
        : "VARCHAR",
  );
  const literal = (cell: string | number | null) =>
    cell === null
      ? "NULL"
      : typeof cell === "number"
        ? String(cell)
        : quotedText("duckdb", cell);
  const values = rows.map(({ cells }) => `(${cells.map(literal).join(", ")})`);
  const { isAiBot = "", isCrawlerBot = "" } = COLUMNS_WITHOUT_FLAGS;
  return [
    `CREATE OR REPLACE TABLE events_told (${NAMES.map((name, i) => `${name} ${types[i]}`).join(", ")})`,
    ...Array.from(
      { length: Math.ceil(values.length / 500) },
      (_, n) =>
        `INSERT INTO events_told VALUES ${values.slice(n * 500, (n + 1) * 500).join(", ")}`,
    ),
    `CREATE OR REPLACE TABLE events AS SELECT *, ${isAiBot} AS is_ai_bot, ${isCrawlerBot} AS is_crawler_bot FROM events_told`,
  ];
}

/** The columns of that table. */
export const COLUMNS: EventColumns = eventColumns("duckdb", (name) => name);

/** The columns of the table `events_told`, whose user agents say which are bots. */
export const COLUMNS_WITHOUT_FLAGS: EventColumns = eventColumns(
  "duckdb",
  (name) => (name.startsWith("is_") ? undefined : name),
);
