import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { countUsage, measureImpact, UsageCounter } from "@devid/review/replay";
import type { EventMapping } from "@devid/warehouse";
import type { Event } from "@devid/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { rule } from "../rules/diff/rule";
import { describeRows } from "../../review/src/replay/row-counts";
import { placeOfRow, storedColumns } from "../../warehouse/src/ndjson-files";
import { openDuckDb } from "./sql/duckdb";
import { eachEvent } from "../review/replay/random-replay";
import { folderForTests } from "../helpers/test-folder";
import { columnOf, inWarehouse } from "./rows-of";

// Every row of a source is a counted event, outside the range, or named as unreadable.

const folder = folderForTests();
const START = Date.UTC(2026, 5, 1);
const RANGE = { start: START, end: START + 3_600_000 };
const INSIDE = START + 1_000;
const ISO = new Date(INSIDE).toISOString();

const CURL = rule("curl", "http.user_agent.string startsWith 'curl/'");
const OPTIONS = { ...RANGE, inForce: [], proposed: [CURL] };

const eventAt = (timestamp: unknown, user_agent = "curl/8", id = "e") => ({
  event_id: id,
  timestamp,
  user_agent,
});
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const GOOD = line(eventAt(INSIDE, "Mozilla/5.0", "good"));

const impactOf = (source: string, mapping?: EventMapping) =>
  inWarehouse(
    source,
    (warehouse) => warehouse.impact(OPTIONS),
    mapping && { mapping },
  );

const impactOfLines = (name: string, text: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return impactOf(`ndjson:${path}`);
};

describe("lines of NDJSON", () => {
  it.each<[string, string, RegExp]>([
    ["a time as text, beside numbers", line(eventAt(ISO)), /as ISO text/],
    ["a time that is no time", line(eventAt("soon")), /neither Unix/],
    [
      "a time without an offset",
      line(eventAt("2026-06-01T00:00:01")),
      /neither/,
    ],
    [
      "seconds, beside milliseconds",
      line(eventAt(INSIDE / 1_000)),
      /in seconds/,
    ],
    ["microseconds", line(eventAt(INSIDE * 1_000)), /no Unix milliseconds/],
    ["the first time that is too late", line(eventAt(1e14)), /no Unix milli/],
    ["no time", line({ event_id: "e" }), /has no time/],
    ["a time that is null", line(eventAt(null)), /has no time/],
    ["an event in a member", line({ event: eventAt(INSIDE) }), /in a member/],
    ["an array of events", line([eventAt(INSIDE)]), /holds a JSON array/],
    ["a text", line("text"), /JSON value that is no object/],
    ["half an event", '{"event_id": \n', /is no JSON/],
  ])("with %s are named", async (name, text, reason) => {
    const file = `${name.replaceAll(/\W/g, "-")}.ndjson`;
    const impact = await impactOfLines(file, `${GOOD}\n${text}`);
    expect(impact.events).toBe(1);
    expect(impact.total.newlyDenied.value).toBe(0);
    expect(impact.rows).toEqual({
      outside: 0,
      unreadable: [
        {
          rows: 1,
          reason: expect.stringMatching(reason) as string,
          // The second line is empty.
          first: `${join(folder, file)}:3`,
          advice: expect.stringMatching(/\.$/) as string,
        },
      ],
    });
  });

  it.each([
    ["ISO texts", ISO],
    ["ISO texts", "2026-06-01T02:00:01.000+02:00"],
    ["seconds", INSIDE / 1_000],
  ])("are read if all times are %s (%s)", async (times, time) => {
    const later = typeof time === "string" ? "2030-01-01T00:00:00Z" : 2e9;
    const text = line(eventAt(time, "curl/8", "a")) + line(eventAt(later));
    const impact = await impactOfLines("agreed.ndjson", text);
    expect(impact.rows).toEqual({ outside: 1, unreadable: [], times });
    expect(impact.total.newlyDenied.value).toBe(1);
    expect(impact.newlyDenied.examples).toEqual(["a"]);
  });

  it("may have a byte order mark, a carriage return, half a surrogate pair and bytes that are no UTF-8", async () => {
    const path = join(folder, "odd.ndjson");
    const text = Buffer.concat([
      Buffer.from(`\ufeff${line(eventAt(INSIDE, "curl/1", "a"))}`),
      Buffer.from('{"event_id":"b","timestamp":'),
      Buffer.from(`${INSIDE},"user_agent":"curl/\\ud800\\\\ud800"}\n`),
      Buffer.from(`{"event_id":"c","timestamp":${INSIDE},"user_agent":"curl/`),
      Buffer.from([0xff, 0x22, 0x7d, 0x0a]),
      Buffer.from(line(eventAt(INSIDE, "curl/2", "d")).replaceAll(",", ",\r")),
    ]);
    writeFileSync(path, text);
    await inWarehouse(`ndjson:${path}`, async (warehouse) => {
      expect(await columnOf(warehouse, "user_agent")).toEqual([
        "curl/1",
        "curl/2",
        "curl/\ufffd",
        "curl/\ufffd\\ud800",
      ]);
      const { rows, total } = await warehouse.impact(OPTIONS);
      expect(rows).toBeUndefined();
      expect(total.newlyDenied.value).toBe(4);
    });
  });

  it("are copied with one sentence about a copy that cannot be written, and leave no file open", async () => {
    const copies = join(folder, "copies");
    mkdirSync(join(copies, "0.parquet.ndjson"), { recursive: true });
    const path = join(folder, "broken.ndjson");
    writeFileSync(path, `${GOOD}{"event_id"\n`);
    await expect(storedColumns([path], copies)).rejects.toThrow(
      `${path} cannot be copied to a temporary folder: it is a folder.`,
    );
    const files = new Set<number>();
    for (let n = 0; n < 8; n++) {
      expect(await placeOfRow(path, 0)).toBe(`${path}:1`);
      // Node takes the lowest number that is free.
      const file = openSync(path, "r");
      files.add(file);
      closeSync(file);
    }
    expect(files.size).toBeLessThan(8);
  });

  it("are those of a whole zstd file, and a file that was cut short or damaged is refused", async () => {
    const connection = await openDuckDb();
    const packed = join(folder, "packed.ndjson.zst");
    await connection.run(
      `COPY (SELECT 'e' || range AS event_id, ${INSIDE} AS timestamp FROM range(20000)) TO '${packed}' (FORMAT json, COMPRESSION zstd)`,
    );
    const whole = readFileSync(packed);
    const skippable = Buffer.from("502a4d180400000061626364", "hex");
    for (const good of [[whole], [skippable, whole, skippable, whole]]) {
      const bytes = Buffer.concat(good);
      const { events } = await impactOfLines("good.ndjson.zst", bytes);
      expect(events).toBe(good.length === 1 ? 20_000 : 40_000);
    }
    const at = (share: number) => Math.floor(whole.length * share);
    for (const bad of [
      ...[0, 3, 5, at(0.01), at(0.5), at(0.999), whole.length - 1].map((end) =>
        whole.subarray(0, end),
      ),
      Buffer.concat([whole, whole.subarray(0, at(0.5))]),
      Buffer.concat([whole, Buffer.from("more")]),
      Buffer.from(line(eventAt(INSIDE, "x", "1"))),
      // A block of a type that there is not.
      Buffer.from("28b52ffd2005070000", "hex"),
    ])
      await expect(
        impactOfLines("bad.ndjson.zst", Buffer.from(bad)),
      ).rejects.toThrow(/bad\.ndjson\.zst was cut short or damaged: /);
  });

  it("that come in several files are said to repeat each other", async () => {
    const [one, two] = [eventAt(INSIDE, "x", "1"), eventAt(INSIDE, "x", "2")];
    writeFileSync(join(folder, "twice-1.ndjson"), line(one) + line(two));
    writeFileSync(join(folder, "twice-2.ndjson"), line(one));
    const { rows, events } = await impactOf(`ndjson:${folder}/twice-*.ndjson`);
    expect(events).toBe(3);
    expect(rows).toEqual({ outside: 0, unreadable: [], duplicates: 1 });
  });

  it("in a file whose name is a pattern of another are read once each", async () => {
    for (const [name, id] of [
      ["day1", "1"],
      ["day[1]", "2"],
      ["day?", "3"],
    ])
      writeFileSync(
        join(folder, `odd-${name}.ndjson`),
        line(eventAt(INSIDE, "x", id)),
      );
    const { rows, events } = await impactOf(`ndjson:${folder}/odd-*.ndjson`);
    expect({ rows, events }).toEqual({ rows: undefined, events: 3 });
  });

  it("have a time that is counted as it is read", async () => {
    const lines = line(eventAt(`0x${INSIDE.toString(16)}`));
    const { rows } = await impactOfLines("hexadecimal.ndjson", lines);
    expect(rows?.outside ?? 0).toBe(0);
  });

  it("of one array are refused with what to do", async () => {
    const lines = `[${GOOD.trim()}${`,${GOOD.trim()}`.repeat(300_000)}]`;
    await expect(impactOfLines("array.ndjson", lines)).rejects.toThrow(
      /maximum_object_size.* Write one event on each line\./,
    );
  });

  it("are compared again if a first look for duplicates failed", async () => {
    const path = join(folder, "again.ndjson");
    writeFileSync(path, GOOD);
    await inWarehouse(`ndjson:${path}`, async (warehouse) => {
      const { engine } = warehouse;
      const ask = engine.query.bind(engine);
      engine.query = (sql, options) => {
        if (sql.includes("DISTINCT")) throw new Error("interrupted");
        return ask(sql, options);
      };
      await expect(warehouse.impact(OPTIONS)).rejects.toThrow("interrupted");
      engine.query = ask;
      expect((await warehouse.impact(OPTIONS)).events).toBe(1);
    });
  });
});

describe("rows of Parquet", () => {
  let written: (name: string, select: string) => Promise<string>;
  beforeAll(async () => {
    const connection = await openDuckDb();
    written = async (name, select) => {
      const path = join(folder, name);
      mkdirSync(join(path, ".."), { recursive: true });
      await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
      return `parquet:${path}`;
    };
  });

  it("without a time are named by file and row", async () => {
    const source = await written(
      "null.parquet",
      `SELECT * FROM (VALUES (${INSIDE}, 'a'), (NULL, 'b'), (${START - 1}, 'c')) AS t (timestamp, event_id)`,
    );
    const { rows, events } = await impactOf(source);
    expect(events).toBe(1);
    expect(rows).toMatchObject({
      outside: 1,
      unreadable: [
        { rows: 1, first: `${join(folder, "null.parquet")}, row 2` },
      ],
    });
  });

  it("that repeat each other are an estimate if there are many, and exact otherwise", async () => {
    // Each tenth row repeats the row before it.
    const select = (rows: number) =>
      `SELECT ${INSIDE} AS timestamp, (i - (i % 10 = 9)::BIGINT)::TEXT AS event_id FROM range(${rows}) AS t (i)`;
    const few = await impactOf(await written("few.parquet", select(1_000)));
    expect(few.rows).toEqual({ outside: 0, unreadable: [], duplicates: 100 });
    const many = await written("many.parquet", select(2_000_010));
    const { rows } = await impactOf(many);
    expect(rows?.isEstimate).toBe(true);
    expect(rows?.duplicates).toBeGreaterThan(198_000);
    expect(rows?.duplicates).toBeLessThan(202_000);
    expect(describeRows(rows)).toMatch(/^About [\d,]+ rows repeat/);
  });

  it.each([
    ["the time is text", `'${ISO}'`, "ISO texts"],
    ["the time is seconds", `${INSIDE / 1_000}::BIGINT`, "seconds"],
  ])("are read if %s", async (_, time, times) => {
    const select = `SELECT ${time} AS timestamp, 'curl/8' AS user_agent`;
    const impact = await impactOf(await written("form.parquet", select));
    expect(impact.rows?.times).toBe(times);
    expect(impact.total.newlyDenied.value).toBe(1);
  });

  it("whose event has a time as text are read if all have one, and named otherwise", async () => {
    const of = (time: unknown) =>
      `SELECT '${JSON.stringify(eventAt(time))}' AS event`;
    const alike = await impactOf(await written("event.parquet", of(ISO)));
    expect(alike.rows?.times).toBe("ISO texts");
    expect(alike.total.newlyDenied.value).toBe(1);
    const mixed = `${of(ISO)} UNION ALL ${of(INSIDE)}`;
    const { rows, events } = await impactOf(await written("m.parquet", mixed));
    expect(events).toBe(1);
    expect(rows?.unreadable).toMatchObject([{ rows: 1 }]);
  });

  it.each([
    ["a text without a mark as such", "encode('curl/é')", 1, 0],
    ["a list", "['curl/8']", 0, 1],
    ["a structure", "{'a': 'curl/8'}", 0, 1],
    ["a map", "MAP {'a': 'curl/8'}", 0, 1],
  ])(
    "cannot be judged if a column has lists or structures: %s",
    async (_, value, denied, unknown) => {
      const select = `SELECT ${INSIDE} AS timestamp, ${value} AS user_agent`;
      const source = await written("type.parquet", select);
      const { total } = await impactOf(source);
      expect([total.newlyDenied.value, total.cannotTell.value]).toEqual([
        denied,
        unknown,
      ]);
      const mapped = impactOf(source, {
        columns: { user_agent: "user_agent" },
      });
      if (unknown === 0) await mapped;
      else await expect(mapped).rejects.toThrow("has lists or structures");
    },
  );

  it("cannot be judged if the column of the whole event has no JSON, and are counted", async () => {
    const event = JSON.stringify(eventAt(INSIDE, "curl/8"));
    const texts = ["no JSON", "", "{", `${event} x`, event];
    const rows = texts.map((text) => `(${INSIDE}, '${text}')`).join(", ");
    const source = await written(
      "no-json.parquet",
      `SELECT * FROM (VALUES ${rows}) AS t (timestamp, event)`,
    );
    const { total } = await impactOf(source);
    expect(total).toMatchObject({
      ...{ newlyDenied: { value: 1 }, cannotTell: { value: 4 } },
    });
  });

  it("keep their columns whatever the folders are called, and a mapping can name a folder", async () => {
    const source = await written(
      "user_agent=other/app=a%20b/events.parquet",
      `SELECT ${INSIDE} AS timestamp, 'curl/8' AS user_agent, 'x' AS event_id`,
    );
    const impact = await impactOf(source);
    expect(impact.total.newlyDenied.value).toBe(1);
    const mapping = { columns: { linked_id: "app", user_agent: "user_agent" } };
    const mapped = await impactOf(source, mapping);
    expect(mapped.newlyDenied.top.linkedId).toEqual([
      { value: "a b", events: 1 },
    ]);
  });

  it("of another environment do not make an impact unknown", async () => {
    const values = `(${INSIDE}, 'ae_1'), (NULL, 'ae_2'), (NULL, 'ae_1'), (NULL, NULL)`;
    const source = await written(
      "environments.parquet",
      `SELECT * FROM (VALUES ${values}) AS t (timestamp, environment_id)`,
    );
    const options = { ...OPTIONS, environment: "ae_1" };
    const { rows } = await inWarehouse(source, (warehouse) =>
      warehouse.impact(options),
    );
    expect(rows?.unreadable[0]?.rows).toBe(2);
    expect(rows?.outside).toBe(1);
  });
});

describe("events of a program", () => {
  const events = [
    eventAt(INSIDE, "Mozilla/5.0", "a"),
    eventAt(ISO, "curl/8", "b"),
    eventAt(null, "curl/8", "c"),
    eventAt(INSIDE / 1_000, "curl/8", "d"),
    eventAt(NaN, "curl/8", "e"),
    eventAt(START - 1, "curl/8", "f"),
  ] as unknown as Event[];
  it("are counted one by one, in an impact and in a usage", async () => {
    const impact = await measureImpact(eachEvent(events), OPTIONS);
    const counter = new UsageCounter({ ...RANGE, rules: [CURL] });
    const usage = await countUsage(eachEvent(events), counter);
    for (const { events, rows } of [impact, usage]) {
      expect(events).toBe(1);
      expect(rows?.outside).toBe(1);
      expect(rows?.unreadable.map(({ first }) => first)).toEqual([
        "event b",
        "event c",
        "event d",
        "event e",
      ]);
    }
  });
});
