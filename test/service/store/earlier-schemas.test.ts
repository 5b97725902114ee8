import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { Database } from "../../../service/src/store/database/database";
import {
  columnOf,
  EVENT_COLUMNS,
  eventColumn,
  eventValues,
} from "../../../service/src/store/events/event-columns";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { recordDataFile } from "./record-data-file.js";
import { folderForEachTest } from "../../helpers/test-folder";

/**
 * `schemas/N.sql` makes a data file of the service whose schema had N migrations. The
 * files before the newest were recorded with the migrations of that time.
 */
const recorded = (version: number) =>
  join(__dirname, "schemas", `${version}.sql`);

let folder: string;
folderForEachTest((path) => (folder = path));

type Row = Record<string, unknown>;

/** A database that a test looks into; it is closed at the end of `look`. */
function inside<T>(
  path: string,
  look: (sqlite: InstanceType<typeof DatabaseSync>) => T,
): T {
  const sqlite = new DatabaseSync(path);
  try {
    return look(sqlite);
  } finally {
    sqlite.close();
  }
}

const rowsOf = (path: string, sql: string): Row[] =>
  inside(path, (sqlite) => sqlite.prepare(sql).all() as Row[]);

const versionOf = (path: string) =>
  Number(rowsOf(path, "PRAGMA user_version")[0]?.["user_version"]);

/** Tables with their columns in any order: a column that is added later is the last one. */
const schemaOf = (path: string) =>
  rowsOf(
    path,
    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
  ).map((entry) => {
    if (entry["type"] !== "table") return entry;
    const text = String(entry["sql"]).replaceAll(/--.*|\s+/g, " ");
    const [, columns = "", rest] = /\((.*)\)([^)]*)$/.exec(text) ?? [];
    return {
      ...entry,
      sql: [
        ...columns
          .split(",")
          .map((column) => column.trim())
          .sort(),
        rest,
      ],
    };
  });

/** All rows of all tables, by table, in the order of their keys. */
function everything(path: string): Record<string, Row[]> {
  const tables = rowsOf(
    path,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return Object.fromEntries(
    tables.map(({ name }): [string, Row[]] => [
      String(name),
      rowsOf(path, `SELECT * FROM ${String(name)} ORDER BY 1, 2`),
    ]),
  );
}

const fresh = () => {
  const path = join(folder, "fresh.db");
  if (!existsSync(path)) Database.open(path).close();
  return path;
};
const NEWEST = (() => {
  const path = join(mkdtempSync(join(tmpdir(), "devid-schema-")), "new.db");
  Database.open(path).close();
  try {
    return versionOf(path);
  } finally {
    rmSync(dirname(path), { recursive: true });
  }
})();

let made = 0;
function dataFileOf(version: number): string {
  const path = join(folder, `${made++}.db`);
  const sql = readFileSync(recorded(version), "utf8");
  inside(path, (sqlite) =>
    sqlite.exec(
      `PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN; ${sql} COMMIT;`,
    ),
  );
  return path;
}

it("the newest schema has a recorded data file (else: UPDATE_GOLDEN=1)", async () => {
  if (process.env.UPDATE_GOLDEN === "1" && !existsSync(recorded(NEWEST)))
    writeFileSync(recorded(NEWEST), await recordDataFile(folder));
  expect(existsSync(recorded(NEWEST))).toBe(true);
});

describe.each(Array.from({ length: NEWEST }, (_, n) => n + 1))(
  "a data file of schema %i",
  (version) => {
    it("has records in each of its tables", () => {
      const path = dataFileOf(version);
      expect(versionOf(path)).toBe(version);
      for (const [table, rows] of Object.entries(everything(path)))
        expect(rows.length, table).toBeGreaterThan(0);
    });

    it("keeps each row when it is opened, and gets the newest schema", () => {
      const path = dataFileOf(version);
      const before = everything(path);
      Database.open(path).close();
      const after = everything(path);
      expect(versionOf(path)).toBe(NEWEST);
      expect(schemaOf(path)).toEqual(schemaOf(fresh()));
      for (const [table, rows] of Object.entries(before)) {
        const columns = Object.keys(rows[0] ?? {});
        const kept = (after[table] ?? []).map((row) =>
          Object.fromEntries(columns.map((name) => [name, row[name]])),
        );
        expect(kept, table).toEqual(rows);
      }
      // Values that the migrations fill in, and that the service writes.
      const { decisions = [], deliveries = [] } = after;
      expectSizes(decisions, ["request", "rule"]);
      expectSizes(deliveries, ["body"]);
      for (const { size, body } of deliveries) expect(size).toBe(bytesOf(body));
    });

    it("can be served", async () => {
      const local = await LocalWorkspace.start({ data: dataFileOf(version) });
      try {
        const paths = ["/environments", "/api-keys", "/webhooks"];
        for (const path of paths) {
          const { status, list } = await local.us("GET", path);
          expect([path, status, list.length > 0]).toEqual([path, 200, true]);
        }
        const { list } = await local.us("GET", "/webhooks");
        expect(list).toContainEqual(
          expect.objectContaining({ url: "https://shop.example/hook" }),
        );
        await expectEventsServed(local, version);
      } finally {
        await local.close();
      }
    });
  },
);

const bytesOf = (text: unknown) => Buffer.byteLength((text ?? "") as string);

/** `written` of a row is the total size of the rows up to it. */
function expectSizes(rows: readonly Row[], columns: readonly string[]): void {
  let sum = 0;
  for (const row of rows) {
    for (const column of columns) sum += bytesOf(row[column]);
    expect(row["written"]).toBe(sum);
  }
}

/** Schemas before the second had no events. */
async function expectEventsServed(
  { service }: Awaited<ReturnType<typeof LocalWorkspace.start>>,
  version: number,
): Promise<void> {
  // Searches look back 90 days, so the clock is set to the time of the recorded files.
  const clock = await fetch(`${service.url}/_local/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ now: "2026-11-30T00:00:00Z" }),
  });
  expect(clock.ok).toBe(true);
  const found = await fetch(
    `${service.url}/us/v4/events?linked_id=recorded&start=2026-11-01T00:00:00Z&end=2026-11-30T00:00:00Z`,
    { headers: { authorization: "Bearer local-secret-us" } },
  );
  const { events } = (await found.json()) as { events: Row[] };
  expect(events.length > 0).toBe(version > 1);
  const made = await fetch(`${service.url}/us/web/v4/local-public-us`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "Recorder" },
    body: JSON.stringify({
      sdk: { platform: "js", version: "4.0.0" },
      url: "https://shop.example/",
      signals: {},
    }),
  });
  expect(made.status).toBe(200);
}

it("each filter of events has a column", () => {
  const columns = rowsOf(fresh(), "PRAGMA table_info(events)").map(
    ({ name }) => name,
  );
  const missing = EVENT_COLUMNS.filter((name) => !columns.includes(name));
  expect(
    missing,
    "These columns are missing: add eventColumn(FIELD) as a step at the end of MIGRATIONS, and record the new schema with UPDATE_GOLDEN=1.",
  ).toEqual([]);
});

it.each(["client_referrer", "browser_details.browser_name", "tags.plan"])(
  "the migration that adds the column of %s fills it from the stored events",
  (field) => {
    const path = dataFileOf(NEWEST);
    inside(path, (sqlite) => sqlite.exec(eventColumn(field)));
    const rows = rowsOf(
      path,
      `SELECT ${columnOf(field)} AS value, body FROM events JOIN event_bodies USING (seq)`,
    );
    const expected = rows.map(({ body }) => {
      let value: unknown = JSON.parse(String(body));
      for (const name of field.split("."))
        value = (value as Row | undefined)?.[name];
      return value ?? null;
    });
    expect(rows.map(({ value }) => value)).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(1);
  },
);

it("the migration that adds a column fills it like the service does", () => {
  const path = dataFileOf(NEWEST);
  const fields = ["vpn", "suspect_score", "proximity.id", "sdk.platform"];
  inside(path, (sqlite) => {
    for (const field of fields) {
      sqlite.exec(`ALTER TABLE events DROP COLUMN ${columnOf(field)}`);
      sqlite.exec(eventColumn(field));
    }
  });
  const rows = rowsOf(
    path,
    "SELECT * FROM events JOIN event_bodies USING (seq)",
  );
  for (const { body, ...row } of rows) {
    const values = eventValues(JSON.parse(String(body)) as never);
    for (const field of fields) {
      const column = columnOf(field);
      expect(row[column]).toBe(values[EVENT_COLUMNS.indexOf(column)]);
    }
  }
});
