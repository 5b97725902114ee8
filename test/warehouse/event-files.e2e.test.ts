import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { constants, createGzip, gunzipSync, gzipSync } from "node:zlib";
import { readMapping, Warehouse } from "@devid/warehouse";
import { measureImpact } from "@devid/review/replay";
import type { Rule } from "@devid/rules";
import type { Event } from "@devid/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compound,
  eachEvent,
  END,
  event,
  rules,
  START,
} from "../review/replay/random-replay";
import { rule } from "../rules/diff/rule";
import { openDuckDb } from "./sql/duckdb";
import { folderForTests } from "../helpers/test-folder";
import { columnOf, expectReplay, inWarehouse } from "./rows-of";

const folder = folderForTests();

/** Unpacks a truncated file as if it ended there. */
const SHORT = { finishFlush: constants.Z_SYNC_FLUSH };

const RANGE = { start: START, end: END };

function ndjson(name: string, events: readonly object[]): string {
  const path = join(folder, name);
  const text = events.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

describe("events in files", () => {
  it("have the same impact and usage as the events themselves", async () => {
    const labels = fc.constantFrom(undefined, true, false, "later");
    const sample = fc.sample(
      fc.tuple(event, labels).map(([one, suspect]) => ({
        ...one,
        ...(suspect !== undefined && { tags: { suspect } }),
      })),
      { numRuns: 600, seed: 7 },
    );
    for (const n of [0, 1, 2])
      ndjson(
        `random-${n}.ndjson`,
        sample.filter((_, i) => i % 3 === n),
      );
    const source = `ndjson:${join(folder, "random-*.ndjson")}`;
    const sets = fc.sample(fc.tuple(rules(compound), rules(compound)), {
      numRuns: 3,
      seed: 7,
    });
    await inWarehouse(source, async (warehouse) => {
      for (const [inForce, proposed] of sets)
        await expectReplay(warehouse, sample, {
          ...{ ...RANGE, inForce, proposed, by: "tags.suspect" },
        });
    });
  });

  it("may have columns with the names of numbers of rows", async () => {
    const connection = await openDuckDb();
    const path = join(folder, "numbered.parquet");
    const rows = `SELECT range::VARCHAR AS event_id, ${START} + range AS timestamp, 'bot' || range % 2 AS user_agent, 'u' || range % 3 AS linked_id, 0 AS file_row_number, 0 AS "devid number" FROM range(30)`;
    await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`);
    const proposed = [rule("bots", "http.user_agent.string == 'bot1'")];
    await inWarehouse(`parquet:${path}`, async (warehouse) => {
      const options = { ...RANGE, inForce: [], proposed };
      const { newlyDenied } = await warehouse.impact(options);
      expect(newlyDenied.events).toBe(15);
      expect(newlyDenied.top.linkedId).toEqual(
        ["u0", "u1", "u2"].map((value) => ({ value, events: 5 })),
      );
      expect(newlyDenied.examples).toEqual(["29", "27", "25", "23", "21"]);
    });
  });

  it("are decided by their values if a condition cannot be written in SQL", async () => {
    const trimmed = "trim(http.user_agent.string, sdk.version) == 'Bot'";
    const asked = { user_agent: "1Bot1", sdk: { version: "1" } };
    const sample = [
      { event_id: "a", timestamp: START, ...asked },
      { event_id: "b", timestamp: START, ...asked, user_agent: "Bot" },
      { event_id: "c", timestamp: START, ...asked, user_agent: "Both" },
    ] as unknown as Event[];
    const source = `ndjson:${ndjson("refused.ndjson", sample)}`;
    const options = { ...RANGE, inForce: [], proposed: [rule("r", trimmed)] };
    await inWarehouse(source, async (warehouse) => {
      const found = await warehouse.impact(options);
      expect(found).toEqual(await measureImpact(eachEvent(sample), options));
      expect(found.newlyDenied.events).toBe(2);
    });
  });

  it("are read from several files, compressed or not, as they are at present", async () => {
    ndjson("day-1.ndjson", [{ event_id: "a", timestamp: START }]);
    ndjson("day-2.ndjson.gz", [{ event_id: "b", timestamp: START + 1 }]);
    const idsOf = () =>
      inWarehouse(`ndjson:${join(folder, "day-*")}`, (warehouse) =>
        columnOf(warehouse, "event_id"),
      );
    expect(await idsOf()).toEqual(["a", "b"]);
    ndjson("day-1.ndjson", [
      { event_id: "a", timestamp: START },
      { event_id: "a2", timestamp: START },
    ]);
    expect(await idsOf()).toEqual(["a", "a2", "b"]);
  });

  it("keep every text unchanged", async () => {
    const texts = [
      "",
      "'; DROP TABLE events; --",
      "\u0000",
      "é€\u{1f600}",
      "\\",
    ];
    const path = ndjson(
      "texts.ndjson",
      texts.map((user_agent, n) => ({
        ...{ event_id: `e${n}`, timestamp: START + n, user_agent },
      })),
    );
    const found = await inWarehouse(`ndjson:${path}`, (warehouse) =>
      columnOf(warehouse, "user_agent"),
    );
    expect(found).toEqual([...texts].sort());
  });

  it("are refused with one sentence if the files are missing or have another format", async () => {
    const open = (source: string) => Warehouse.open(source);
    await expect(open("csv:x")).rejects.toSay("event-files/no-source");
    await expect(open(`parquet:${join(folder, "none-*")}`)).rejects.toSay(
      "event-files/no-match",
    );
    const damaged = `PAR1${"\0".repeat(100)}\x10\0\0\0PAR1`;
    for (const text of ["no Parquet at all", damaged]) {
      writeFileSync(join(folder, "text.parquet"), text);
      await expect(
        open(`parquet:${join(folder, "text.parquet")}`),
      ).rejects.toThrow(/Reading the events of .* write or copy it again\.$/);
    }
  });

  it.each([
    [
      "columns: { timestmp: t }",
      /columns: .*timestmp.* Known are event_id, timestamp,/,
    ],
    ["colums: {}", /colums.* Known are columns, event\.$/],
    ["- a", /used: Invalid input/],
    ["a: [", /^[^\n]*used: [^\n]+$/],
    ["columns: { timestamp: nowhere }", /names the column nowhere, .* It has/],
    ["columns: { origin: { json: nowhere, path: a } }", /column nowhere, /],
    ["event: nowhere", /names the column nowhere, .* It has the columns/],
  ])("are refused if the mapping is %s", async (text, why) => {
    const file = join(folder, "mapping.yaml");
    writeFileSync(file, text);
    const source = `ndjson:${ndjson("mapped.ndjson", [{ event_id: "a", timestamp: START }])}`;
    const opened = async () => {
      const mapping = readMapping(file);
      await (await Warehouse.open(source, { mapping })).close();
    };
    await expect(opened()).rejects.toThrow(why);
  });

  it("are refused if a gzip file is damaged, or cut at the end of a line", async () => {
    const line = (n: number) =>
      `${JSON.stringify({ event_id: `e${n}`, timestamp: START })}\n`;
    const gzip = createGzip();
    const chunks: Buffer[] = [];
    gzip.on("data", (chunk: Buffer) => chunks.push(chunk));
    gzip.write(line(1));
    // The bytes written so far can be unpacked without the rest.
    await new Promise<void>((done) => {
      gzip.flush(constants.Z_FULL_FLUSH, done);
    });
    const cut = Buffer.concat(chunks);
    gzip.end(line(2));
    await finished(gzip);
    const whole = Buffer.concat(chunks);
    const damaged = whole.with(-8, (whole.at(-8) ?? 0) ^ 1);
    const read = async (bytes: Uint8Array) => {
      writeFileSync(join(folder, "packed.ndjson.gz"), bytes);
      const options = { ...RANGE, inForce: [], proposed: [] };
      return inWarehouse(
        `ndjson:${join(folder, "packed.ndjson.gz")}`,
        async (warehouse) => (await warehouse.impact(options)).events,
      );
    };
    expect(gunzipSync(cut, SHORT).toString()).toBe(line(1));
    await expect(read(cut)).rejects.toThrow(/was cut short or damaged/);
    await expect(read(whole.subarray(0, -8))).rejects.toThrow(
      /unexpected end of file/,
    );
    await expect(read(damaged)).rejects.toThrow(/incorrect data check/);
    expect(await read(whole)).toBe(2);
  });

  it("may have the engine's own type of a time", async () => {
    const connection = await openDuckDb();
    const path = join(folder, "times.parquet");
    const rows = `SELECT epoch_ms(${START}) AS timestamp`;
    await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`);
    await inWarehouse(`parquet:${path}`, async (warehouse) => {
      const options = { ...RANGE, inForce: [], proposed: [] };
      expect((await warehouse.impact(options)).events).toBe(1);
    });
  });

  it("are not read any further once the command is interrupted", async () => {
    const path = ndjson("interrupted.ndjson", [
      { event_id: "a", timestamp: START },
    ]);
    await inWarehouse(`ndjson:${path}`, async (warehouse) => {
      const reason = new Error("interrupted");
      const set: Rule[] = [];
      const options = { ...RANGE, inForce: set, proposed: set };
      const signal = AbortSignal.abort(reason);
      await expect(warehouse.impact(options, { signal })).rejects.toBe(reason);
    });
  });
});
