import type { Rule } from "@devid/rules";
import { UsageCounter } from "@devid/review/replay";
import type { Event } from "@devid/sdk";
import {
  DIALECTS,
  impactInTable,
  type QueryRows,
  RowKeys,
} from "@devid/warehouse/sql";
import { beforeAll, describe, expect, it } from "vitest";
import { END, START } from "../../review/replay/random-replay";
import { allow, rule } from "../../rules/diff/rule";
import { openDuckDb, queryOf } from "./duckdb";
import {
  expectImpactsOfReplay,
  impactOfReplay,
  sampledEvents,
  usageOfReplay,
} from "./impact-agreement";
import { columnsOf, eventTables } from "./stored-events";

const EVENTS = 2_000;
const SETS = 25;

let query: QueryRows;
let events: readonly Event[];

beforeAll(async () => {
  const connection = await openDuckDb();
  query = queryOf(connection);
  events = sampledEvents(EVENTS);
  for (const sql of eventTables("duckdb", events)) await connection.run(sql);
}, 240_000);

/** Works with a query of DuckDB that may have only so many characters. */
async function withMost<T>(characters: number, work: () => Promise<T>) {
  const { mostCharacters } = DIALECTS.duckdb;
  Object.assign(DIALECTS.duckdb, { mostCharacters: characters });
  try {
    return await work();
  } finally {
    Object.assign(DIALECTS.duckdb, { mostCharacters });
  }
}

const eventsTable = (more: object = {}) => ({
  ...{ dialect: "duckdb" as const, table: "events" },
  columns: columnsOf("duckdb"),
  ...more,
});

it("the impact and the usage in a table are those of a replay", async () => {
  const { changed } = await expectImpactsOfReplay(
    "duckdb",
    query,
    events,
    SETS,
  );
  expect(changed).toBeGreaterThan(SETS / 8);
}, 240_000);

it("the impact is that of a replay if the keys of changed events fit into no query", async () => {
  const options = {
    inForce: [],
    proposed: [rule("r", "http.user_agent.string < 'b'"), rule("r", "true")],
    start: START,
    end: END,
  };
  const found = await withMost(1, () =>
    impactInTable(query, eventsTable(), options),
  );
  expect(found).toEqual(await impactOfReplay(events, options));
  expect(found.newlyDenied.events).toBeGreaterThan(100);
});

describe("a condition that no SQL says", () => {
  const TEXTS = 5_000;
  const tableOf = (texts: number) => ({
    dialect: "duckdb" as const,
    table: `(SELECT concat('e', n) AS event_id, ${START} + n AS time, concat('bot ', CASE WHEN n % 7 = 0 THEN 'é' ELSE 'e' END, ' ', n) AS ua FROM (SELECT range AS n FROM range(${texts}))) AS many`,
    columns: { event_id: "event_id", timestamp: "time", user_agent: "ua" },
  });
  const made = Array.from({ length: TEXTS }, (_, n) => ({
    ...{ event_id: `e${n}`, timestamp: START + n },
    user_agent: `bot ${n % 7 === 0 ? "é" : "e"} ${n}`,
  })) as unknown as Event[];
  const rules = [
    rule("one", "http.user_agent.string matches '\\\\p{Latin} 1'"),
    rule("accent", "http.user_agent.string matches '[^\\\\x00-\\\\x7f]'"),
    allow("nine", "http.user_agent.string endsWith '9'"),
  ];

  it.each([
    { mostCharacters: DIALECTS.duckdb.mostCharacters, isKey: false },
    { mostCharacters: 1, isKey: true },
  ])(
    "is decided for each text, or its column is a key if they fit into no query: $isKey",
    async ({ mostCharacters, isKey }) => {
      const range = { start: START, end: START + TEXTS };
      const options = { ...range, inForce: [], proposed: rules };
      let groups = 0;
      const counted: QueryRows = async function* (sql) {
        let rows = 0;
        for await (const part of query(sql)) {
          rows += part.length;
          yield part;
        }
        if (sql.includes("first_time")) groups = rows;
      };
      const usage = new UsageCounter({ ...range, rules });
      const found = await withMost(mostCharacters, () =>
        impactInTable(counted, tableOf(TEXTS), options, usage),
      );
      expect(found).toEqual(await impactOfReplay(made, options));
      expect(usage.usage()).toEqual(
        await usageOfReplay(made, { ...range, rules }),
      );
      expect(found.newlyDenied.events).toBeGreaterThan(TEXTS / 8);
      // Three conditions in each period.
      if (isKey) expect(groups).toBe(TEXTS);
      else expect(groups).toBeLessThanOrEqual(8 * found.periods.length);
    },
  );

  it.each([
    { texts: 1_000, isKey: false },
    { texts: 100_001, isKey: true },
  ])("makes a column of $texts texts a key: $isKey", async (of) => {
    const { expressions } = new UsageCounter({ start: 0, end: 1, rules });
    const keys = new RowKeys(tableOf(of.texts), expressions, new Set());
    expect(keys.names).toContain("v_user_agent");
    await keys.decideTexts(query, "1 = 1");
    expect(keys.names.includes("v_user_agent")).toBe(of.isKey);
  });
});

it("a label of many values is counted by its most frequent ones", async () => {
  const asked: string[] = [];
  const watched: QueryRows = (sql) => {
    asked.push(sql);
    return query(sql);
  };
  const found = await impactInTable(
    watched,
    eventsTable({ label: "event_id" }),
    { inForce: [], proposed: [], start: START, end: END, by: "event_id" },
  );
  const { values = [], others } = found.labels ?? {};
  expect(values).toHaveLength(100);
  expect(values.length + (others?.events ?? 0)).toBe(found.events);
  const groups = [];
  for await (const rows of query(asked[1] ?? "")) groups.push(...rows);
  expect(groups.length).toBeLessThan(200);
});

it("a rule with an unknown action or an invalid expression may decide anything", async () => {
  const bot = rule("new", "http.user_agent.string == 'bot'");
  const odd = { ...bot, action: "challenge" } as unknown as Rule;
  const options = {
    inForce: [odd],
    proposed: [rule("mistake", "no.such.field"), odd, rule("all", "true")],
    start: START,
    end: END,
  };
  const found = await impactInTable(
    query,
    eventsTable({ where: "linked_id = 'u1'" }),
    options,
  );
  const some = events.filter((event) => event.linked_id === "u1");
  expect(found).toEqual(await impactOfReplay(some, options));
  expect(found.events).toBeGreaterThan(100);
});

it("bot flags that the table lacks are found from its user agents", async () => {
  const inForce = [
    rule("crawlers", "http.user_agent.is_crawler_bot"),
    allow("people", "!http.user_agent.is_ai_bot"),
    allow("origin", "'Origin' in http.request.headers"),
    rule("rest", "lower(http.user_agent.string) contains 'bot'"),
  ];
  const options = {
    inForce,
    proposed: [...inForce].reverse(),
    start: START,
    end: END,
    // If an event has no user agent, none was sent.
    assumeNotSent: ["Origin", "User-Agent"],
  };
  const found = await impactInTable(query, eventsTable(), options);
  expect(found).toEqual(await impactOfReplay(events, options));
  expect(found.newlyDenied.events).toBeGreaterThan(10);
  expect(found.total.cannotTell.value).toBeGreaterThan(10);
});
