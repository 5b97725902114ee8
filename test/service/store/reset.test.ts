import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { Clock } from "../../../service/src/clock";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { openStore } from "../../../service/src/store/store";
import { folderForEachTest } from "../../helpers/test-folder";

type Sqlite = InstanceType<typeof DatabaseSync>;

let file: string;
folderForEachTest((path) => (file = join(path, "devid.db")));

/** Opens the data file with the service's own code. */
const open = () => openStore(file, new Clock(), DEVELOPMENT_KEYS);

/** Opens the data file as a plain database, without any checks of references. */
function inFile<T>(work: (sqlite: Sqlite) => T): T {
  const sqlite = new DatabaseSync(file);
  try {
    sqlite.exec("PRAGMA foreign_keys = OFF");
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

const tablesIn = (sqlite: Sqlite) =>
  (
    sqlite
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all() as { name: string }[]
  ).map(({ name }) => name);

const rowsIn = (sqlite: Sqlite) =>
  tablesIn(sqlite).map(
    (table) =>
      sqlite
        .prepare(`SELECT '${table}' AS name, count(*) AS n FROM ${table}`)
        .get() as { name: string; n: number },
  );

/** Adds a row to a table. Every column is 9, so every reference leads to such a row. */
function addRow(sqlite: Sqlite, table: string): void {
  const columns = sqlite
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all() as { name: string }[];
  sqlite.exec(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join()})
     VALUES (${columns.map(() => "9").join()})`,
  );
}

/** Makes the file anew, with its empty tables in the opposite order. */
function turnAround(): void {
  const rowsOf = <T>(sql: string) =>
    inFile((sqlite) => sqlite.prepare(sql).all() as T[]);
  const pragmas = ["application_id", "user_version"].flatMap((name) =>
    rowsOf<{ value: number }>(
      `SELECT ${name} AS value FROM pragma_${name}`,
    ).map(({ value }) => `PRAGMA ${name} = ${value}`),
  );
  const schema = rowsOf<{ sql: string }>(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
      ORDER BY type <> 'table', rowid DESC`,
  );
  rmSync(file);
  inFile((sqlite) => {
    for (const sql of [...schema.map(({ sql }) => sql), ...pragmas])
      sqlite.exec(sql);
  });
}

// Tables are made in the order of a module's exports, which a bundler changes.
it.each([
  ["in this order", () => undefined],
  ["in the opposite order", turnAround],
])(
  "a reset empties every table, whatever refers to what, and starts anew: tables %s",
  (_, arrange) => {
    open().close();
    arrange();
    open().close();
    const atStart = inFile(rowsIn);
    inFile((sqlite) => {
      for (const table of tablesIn(sqlite)) addRow(sqlite, table);
      expect(sqlite.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    });
    const store = open();
    store.reset();
    store.close();
    // Values of the service itself survive: a cursor stays a cursor after a reset.
    expect(inFile(rowsIn)).toEqual(
      atStart.map((row) =>
        row.name === "settings" ? { ...row, n: row.n + 1 } : row,
      ),
    );
  },
);
