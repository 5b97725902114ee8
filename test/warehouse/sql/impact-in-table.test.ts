import { type Rule, decidePartly } from "@devid/rules";
import { checkExpression, eventAsRuleRequest } from "@devid/rules/language";
import { measureImpact } from "@devid/review/replay";
import {
  decisionSql,
  impactInTable,
  type QueryRows,
} from "@devid/warehouse/sql";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { compound, END, rules, START } from "../../review/replay/random-replay";
import { openDuckDb, queryOf } from "./duckdb";
import {
  columnsOf,
  columnsWithoutFlags,
  eventTables,
  type EventRow,
} from "./event-rows";
import {
  eventsOf,
  expectImpactsOfReplay,
  sampledRows,
  withoutRows,
} from "./impact-agreement";

const EVENTS = 2_000;
const SETS = 25;
const seed = 20251120;

let query: QueryRows;
let run: (sql: string) => Promise<void>;
let events: readonly EventRow[];

beforeAll(async () => {
  const connection = await openDuckDb();
  query = queryOf(connection);
  run = async (sql) => {
    await connection.run(sql);
  };
  events = sampledRows(EVENTS);
  for (const sql of eventTables("duckdb", events)) await connection.run(sql);
}, 240_000);

it("the impact and the usage in a table are those of a replay", async () => {
  let kept = 0;
  const keep = async (sql: string) => {
    kept++;
    await run(`CREATE TEMP TABLE kept AS ${sql}`);
    return { table: "kept", drop: () => run("DROP TABLE kept") };
  };
  const { changed, refused } = await expectImpactsOfReplay(
    "duckdb",
    query,
    events,
    SETS,
    { sql: "rowid", keep },
  );
  expect(kept).toBeGreaterThan(SETS / 3);
  expect(changed).toBeGreaterThan(SETS / 8);
  expect(refused).toBeLessThan(SETS / 5);
}, 240_000);

it("the decision in SQL is the decision of the rules one after another", async () => {
  const sets = fc.sample(rules(compound), { numRuns: SETS, seed });
  const seen = new Set<string>();
  let named = 0;
  for (const set of sets) {
    const { result, rule, decision } = decisionSql(set, {
      dialect: "duckdb",
      columns: columnsOf("duckdb"),
    });
    const decide = decidePartly(
      set.map((one) => {
        const checked = checkExpression(one.expression);
        if (!checked.ok) throw new Error(checked.problems[0]?.message);
        return { rule: one, expression: checked.expression };
      }),
    );
    const rows = [];
    for await (const part of query(
      `SELECT ${result}, ${rule}, ${decision} FROM events ORDER BY rowid`,
    ))
      rows.push(...part);
    for (const [i, { event }] of events.entries()) {
      const { result, mayDecide } = decide(eventAsRuleRequest(event));
      seen.add(result);
      const [said, name, both] = rows[i] ?? [];
      expect(said).toBe(result);
      expect(both).toBe(name === null ? result : `${result}: ${name}`);
      if (name !== null) expect(mayDecide).toEqual([name]);
      if (mayDecide.length === 0) expect(name).toBe(null);
      named += name === null ? 0 : 1;
    }
  }
  expect(seen.size).toBe(3);
  expect(named).toBeGreaterThan(EVENTS);
}, 240_000);

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
      table: "events_told",
      columns: columnsWithoutFlags("duckdb"),
    },
    options,
  );
  expect(found).toEqual(
    withoutRows(await measureImpact(eventsOf(events), options)),
  );
  expect(found.newlyDenied.events).toBeGreaterThan(10);
  expect(found.total.cannotTell.value).toBeGreaterThan(10);
});
