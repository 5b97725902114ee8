import type { Rule } from "@devid/rules";
import { measureImpact } from "@devid/review/replay";
import { DIALECTS, impactInTable, type QueryRows } from "@devid/warehouse/sql";
import { beforeAll, expect, it } from "vitest";
import { END, START } from "../../review/replay/random-replay";
import { openDuckDb, queryOf } from "./duckdb";
import { columnsOf, eventTables, type EventRow } from "./event-rows";
import {
  eventsOf,
  expectImpactsOfReplay,
  sampledRows,
  withoutRows,
} from "./impact-agreement";

const EVENTS = 2_000;
const SETS = 25;

let query: QueryRows;
let events: readonly EventRow[];

beforeAll(async () => {
  const connection = await openDuckDb();
  query = queryOf(connection);
  events = sampledRows(EVENTS);
  for (const sql of eventTables("duckdb", events)) await connection.run(sql);
}, 240_000);

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
  const rule = (expression: string): Rule => ({
    ...{ name: "r", expression, action: "deny", status: "enabled" },
  });
  const options = {
    inForce: [],
    proposed: [rule("http.user_agent.string < 'b'"), rule("true")],
    start: START,
    end: END,
  };
  const { mostCharacters } = DIALECTS.duckdb;
  Object.assign(DIALECTS.duckdb, { mostCharacters: 1 });
  try {
    const table = { dialect: "duckdb", table: "events" } as const;
    const columns = columnsOf("duckdb");
    const found = await impactInTable(query, { ...table, columns }, options);
    expect(found).toEqual(
      withoutRows(await measureImpact(eventsOf(events), options)),
    );
    expect(found.newlyDenied.events).toBeGreaterThan(100);
  } finally {
    Object.assign(DIALECTS.duckdb, { mostCharacters });
  }
});

it("a label of many values is counted by its most frequent ones", async () => {
  const asked: string[] = [];
  const watched: QueryRows = (sql) => {
    asked.push(sql);
    return query(sql);
  };
  const columns = columnsOf("duckdb");
  const found = await impactInTable(
    watched,
    { dialect: "duckdb", table: "events", columns, label: "event_id" },
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
  const made = (name: string, expression: string, action = "deny") =>
    ({ name, expression, action, status: "enabled" }) as Rule;
  const options = {
    inForce: [made("new", "http.user_agent.string == 'bot'", "challenge")],
    proposed: [
      made("mistake", "no.such.field"),
      made("new", "http.user_agent.string == 'bot'", "challenge"),
      made("all", "true"),
    ],
    start: START,
    end: END,
  };
  const found = await impactInTable(
    query,
    {
      dialect: "duckdb",
      table: "events",
      columns: columnsOf("duckdb"),
      where: "linked_id = 'u1'",
    },
    options,
  );
  const some = events.filter(({ event }) => event.linked_id === "u1");
  expect(found).toEqual(
    withoutRows(await measureImpact(eventsOf(some), options)),
  );
  expect(found.events).toBeGreaterThan(100);
});

it("bot flags that the table lacks are found from its user agents", async () => {
  const made = (name: string, expression: string, action = "deny") =>
    ({ name, expression, action, status: "enabled" }) as Rule;
  const inForce = [
    made("crawlers", "http.user_agent.is_crawler_bot"),
    made("people", "!http.user_agent.is_ai_bot", "allow"),
    made("origin", "'Origin' in http.request.headers", "allow"),
    made("rest", "lower(http.user_agent.string) contains 'bot'"),
  ];
  const options = {
    inForce,
    proposed: [...inForce].reverse(),
    start: START,
    end: END,
    // If an event has no user agent, none was sent.
    assumeNotSent: ["Origin", "User-Agent"],
  };
  const found = await impactInTable(
    query,
    {
      dialect: "duckdb",
      table: "events",
      columns: columnsOf("duckdb"),
    },
    options,
  );
  expect(found).toEqual(
    withoutRows(await measureImpact(eventsOf(events), options)),
  );
  expect(found.newlyDenied.events).toBeGreaterThan(10);
  expect(found.total.cannotTell.value).toBeGreaterThan(10);
});
