import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Database } from "../../../service/src/store/database/database";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));
let path: string;
let db: Database;
beforeEach(() => {
  path = join(folder, "data.db");
  db = Database.open(path);
});
afterEach(() => {
  db.close();
});

const insert = (name: string) =>
  db.run("INSERT INTO settings (name, value) VALUES (?, '')", name);
const names = () =>
  db
    .all<{ name: string }>("SELECT name FROM settings ORDER BY name")
    .map(({ name }) => name);

it("work handed in at the same time is stored in one transaction, and answered afterwards", async () => {
  const commits = vi.spyOn(db, "run");
  const made = Array.from({ length: 8 }, (_, n) =>
    db.batched(() => {
      insert(`n${n}`);
      return n;
    }),
  );
  expect(names()).toEqual([]);
  expect(await Promise.all(made)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(names()).toHaveLength(8);
  expect(commits.mock.calls.filter(([sql]) => sql === "COMMIT")).toHaveLength(
    1,
  );
});

it("only work that throws is undone, not the work next to it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      async (throws) => {
        db.run("DELETE FROM settings");
        const ends = await Promise.allSettled(
          throws.map((fails, n) =>
            db.batched(() => {
              insert(`n${String(n).padStart(2, "0")}`);
              if (fails) throw new Error(`fails ${n}`);
              return n;
            }),
          ),
        );
        expect(ends).toEqual(
          throws.map((fails, n) =>
            fails
              ? { status: "rejected", reason: new Error(`fails ${n}`) }
              : { status: "fulfilled", value: n },
          ),
        );
        expect(names()).toEqual(
          throws.flatMap((fails, n) =>
            fails ? [] : [`n${String(n).padStart(2, "0")}`],
          ),
        );
      },
    ),
    { numRuns: 50 },
  );
});

it("a failed commit answers no caller with success, and stores nothing", async () => {
  const run = db.run.bind(db);
  vi.spyOn(db, "run").mockImplementation((sql, ...values) => {
    if (sql === "COMMIT") throw new Error("disk I/O error");
    return run(sql, ...values);
  });
  const ends = await Promise.allSettled([
    db.batched(() => insert("a")),
    db.batched(() => insert("b")),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  vi.restoreAllMocks();
  expect(names()).toEqual([]);
  await db.batched(() => insert("c"));
  expect(names()).toEqual(["c"]);
});

it("work handed in before the file is closed is stored", async () => {
  const stored = db.batched(() => insert("last"));
  db.close();
  await stored;
  const sqlite = new DatabaseSync(path);
  expect(sqlite.prepare("SELECT name FROM settings").all()).toEqual([
    { name: "last" },
  ]);
  sqlite.close();
  db = Database.open(path);
});
