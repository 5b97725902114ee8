import type { Rule } from "@devid/rules";
import { checkExpression, eventAsRuleRequest } from "@devid/rules/language";
import {
  countUsage,
  decidePartly,
  measureImpact,
  UsageCounter,
} from "@devid/rules/replay";
import {
  decisionSql,
  impactInTable,
  NotInDialectError,
  type QueryRows,
  usageInTable,
} from "@devid/rules/sql";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import * as random from "../language/random-expression";
import { compound, END, rules, START } from "../replay/random-replay";
import { openDuckDb, queryOf } from "./duckdb";
import {
  COLUMNS,
  COLUMNS_WITHOUT_FLAGS,
  duckDbTable,
  eventRow,
  type EventRow,
} from "./event-rows";

const EVENTS = 2_000;
const SETS = 25;
const seed = 20251120;

let query: QueryRows;
let events: readonly EventRow[];

beforeAll(async () => {
  const connection = await openDuckDb();
  query = queryOf(connection);
  events = fc.sample(eventRow, { numRuns: EVENTS, seed });
  for (const sql of duckDbTable(events)) await connection.run(sql);
}, 240_000);

async function* eventsOf(rows: readonly EventRow[]) {
  for (const { event } of rows) yield await Promise.resolve(event);
}

it("impact and usage of a table have the figures of a replay of its events", async () => {
  const expression = fc.oneof(compound, compound, random.supported);
  const pairs = fc.sample(
    fc.record({ inForce: rules(expression), proposed: rules(expression) }),
    { numRuns: SETS, seed },
  );
  let changed = 0;
  let refused = 0;
  for (const { inForce, proposed } of pairs) {
    const options = {
      inForce,
      proposed,
      start: START,
      end: END,
      assumeNotSent: ["X-B"],
      by: "bot",
    };
    const table = {
      dialect: "duckdb",
      table: "events",
      columns: COLUMNS,
      label: "bot",
    } as const;
    try {
      const found = await impactInTable(query, table, options);
      const replayed = await measureImpact(eventsOf(events), options);
      expect(found).toEqual(replayed);
      const { start, end, assumeNotSent } = options;
      const usage = { rules: proposed, start, end, assumeNotSent };
      expect(await usageInTable(query, table, usage)).toEqual(
        await countUsage(eventsOf(events), new UsageCounter(usage)),
      );
      if (replayed.newlyDenied.events > 0) changed++;
    } catch (error) {
      if (!(error instanceof NotInDialectError)) throw error;
      refused++;
    }
  }
  expect(changed).toBeGreaterThan(SETS / 8);
  expect(refused).toBeLessThan(SETS / 5);
}, 240_000);

it("the decision as SQL is that of a walk through the rules", async () => {
  const sets = fc.sample(rules(compound), { numRuns: SETS, seed });
  const seen = new Set<string>();
  let named = 0;
  for (const set of sets) {
    const { result, rule, decision } = decisionSql(set, {
      dialect: "duckdb",
      columns: COLUMNS,
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

it("a rule whose action is new, and one with a mistake, may do anything", async () => {
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
      columns: COLUMNS,
      where: "linked_id = 'u1'",
    },
    options,
  );
  const some = events.filter(({ event }) => event.linked_id === "u1");
  expect(found).toEqual(await measureImpact(eventsOf(some), options));
  expect(found.events).toBeGreaterThan(100);
});

it("flags of bots that the table lacks are found out from its user agents", async () => {
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
    // A user agent that the event lacks was then not sent.
    assumeNotSent: ["Origin", "User-Agent"],
  };
  const found = await impactInTable(
    query,
    { dialect: "duckdb", table: "events_told", columns: COLUMNS_WITHOUT_FLAGS },
    options,
  );
  expect(found).toEqual(await measureImpact(eventsOf(events), options));
  expect(found.newlyDenied.events).toBeGreaterThan(10);
  expect(found.total.cannotTell.value).toBeGreaterThan(10);
});
