import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { DatabaseSync } from "@photostructure/sqlite";
import { StartError, type ServiceOptions } from "@devid/service";
import { expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));
const file = (name: string) => join(folder, name);

/** Starts a service and stops it. Returns the message of a failed start, or undefined. */
async function refusal(options: ServiceOptions): Promise<string | undefined> {
  try {
    await (await LocalWorkspace.start(options)).close();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    const { message } = error as StartError;
    expect(message).not.toMatch(/\n/);
    return message;
  }
}

/** Names, modes and contents of everything in the folder. */
const everything = () =>
  readdirSync(folder).map((name) => {
    const { mode, mtimeMs } = statSync(file(name));
    return [name, mode, mtimeMs, readFileSync(file(name)).toString("base64")];
  });

const event = (n: number) => ({
  event_id: `${1_700_000_000_000 + n}.${"abcdef".slice(0, 6)}`,
  timestamp: 1_700_000_000_000 + n,
  linked_id: `user ${n} ${"x".repeat(300)}`,
});

/**
 * A data file with records in several tables. A killed service leaves its last writes
 * in a log beside the file.
 */
async function populated(name: string, isKilled = false): Promise<void> {
  const local = await LocalWorkspace.start({ data: file("live.db") });
  const events = Array.from({ length: 100 }, (_, n) => event(n));
  await local.control("/us/events", events);
  await local.make("/webhooks", { url: "https://shop.example" });
  if (isKilled) {
    copyFileSync(file("live.db"), file(name));
    copyFileSync(file("live.db-wal"), file(`${name}-wal`));
  }
  await local.close();
  if (!isKilled) copyFileSync(file("live.db"), file(name));
  rmSync(file("live.db"));
}

it("a refused data file keeps its mode, also behind a link", async () => {
  writeFileSync(file("conf.yaml"), "a: 1\n".repeat(2_000));
  chmodSync(file("conf.yaml"), 0o644);
  symlinkSync(file("conf.yaml"), file("link"));
  for (const journal of ["DELETE", "WAL"]) {
    const foreign = new DatabaseSync(file(`foreign-${journal}.db`));
    foreign.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE theirs (id)`);
    foreign.close();
    chmodSync(file(`foreign-${journal}.db`), 0o644);
  }
  const before = everything();
  for (const name of readdirSync(folder))
    expect(await refusal({ data: file(name) }), name).toMatch(
      /is not a database|is a database of another program\. Choose another file\.$/,
    );
  expect(everything()).toEqual(before);
});

it("a data file, ready file or keys file that is not a plain file is refused at once", async () => {
  execFileSync("mkfifo", [file("fifo")]);
  symlinkSync("/dev/null", file("device"));
  const { mode, rdev } = statSync("/dev/null");
  for (const name of ["fifo", "device"])
    for (const option of ["data", "readyFile", "keys"])
      expect(await refusal({ [option]: file(name) }), option).toMatch(
        /is a device, a pipe or a socket/,
      );
  expect(await refusal({ readyFile: folder })).toMatch(/is a folder/);
  const after = statSync("/dev/null");
  expect([after.mode, after.rdev]).toEqual([mode, rdev]);
});

it("the data file of a killed service is read with its log, and is complete", async () => {
  await populated("data.db", true);
  expect(statSync(file("data.db-wal")).size).toBeGreaterThan(0);
  const local = await LocalWorkspace.start({ data: file("data.db") });
  expect((await local.us("GET", "/webhooks")).list).toHaveLength(1);
  await local.close();
  expect(existsSync(file("data.db-shm"))).toBe(false);
});

it("a data file behind a link is read with the log of its file, where a checkpoint was interrupted", async () => {
  await populated("data.db", true);
  // The log has the first page, too.
  const bytes = readFileSync(file("data.db"));
  writeFileSync(file("data.db"), bytes.fill(0xff, 100, 4_096));
  symlinkSync("data.db", file("link.db"));
  const local = await LocalWorkspace.start({ data: file("link.db") });
  expect((await local.us("GET", "/webhooks")).list).toHaveLength(1);
  await local.close();
  symlinkSync("new.db", file("dangling.db"));
  expect(await refusal({ data: file("dangling.db") })).toBeUndefined();
});

it("a data file with flipped bits is refused in one sentence and left unchanged, or is complete", async () => {
  await populated("data.db");
  await populated("killed.db", true);
  let refused = 0;
  // Either anywhere, or where a page describes its content.
  const inHeader = fc.tuple(fc.nat(1_000), fc.nat(40));
  const place = fc.oneof(
    fc.nat(),
    inHeader.map(([page, at]) => page * 4_096 + at),
  );
  const names = fc.constantFrom("data.db", "killed.db");
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.array(fc.tuple(place, fc.nat(7)), { minLength: 1, maxLength: 40 }),
      async (name, flips) => {
        for (const old of readdirSync(folder))
          if (old.startsWith("damaged")) rmSync(file(old));
        const bytes = readFileSync(file(name));
        for (const [flipped, bit] of flips) {
          const at = flipped % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        }
        writeFileSync(file("damaged.db"), bytes);
        if (name === "killed.db")
          copyFileSync(file("killed.db-wal"), file("damaged.db-wal"));
        const before = everything();
        const message = await refusal({ data: file("damaged.db") });
        if (message === undefined) return;
        refused++;
        expect(message).toMatch(/^Data file .*damaged\.db (is|was|cannot) /);
        expect(everything()).toEqual(before);
      },
    ),
    { numRuns: 60 },
  );
  expect(refused).toBeGreaterThan(10);
}, 60_000);

it("a data file whose records contradict each other is refused without a stack trace", async () => {
  await populated("data.db");
  const sqlite = new DatabaseSync(file("data.db"));
  sqlite.exec("UPDATE api_keys SET workspace = 'us' WHERE workspace = 'eu'");
  sqlite.close();
  expect(await refusal({ data: file("data.db") })).toMatch(
    /is damaged \(UNIQUE constraint failed/,
  );
});
