import type { Event } from "@devid/sdk";
import {
  checkExpression,
  compileExpression,
  eventAsRuleRequest,
} from "@devid/rules/language";
import {
  RowKeys,
  type DialectName,
  type EventTable,
  type QueryRows,
} from "@devid/warehouse/sql";
import { expect } from "vitest";
import { sampledPairs } from "./sampled-pairs";
import { columnsOf, eventTables } from "./stored-events";

/** The results of the evaluator for events, and for the keys that an engine computes of them. */
export interface Agreement {
  /** Pairs of an expression and an event. */
  readonly pairs: number;
  readonly answers: Readonly<Record<"yes" | "no" | "cannot tell", number>>;
  /** Pairs in which the engine has answered a leaf condition. */
  readonly bySql: number;
  readonly differences: readonly object[];
}

/** An engine under test. */
export interface AskedEngine {
  readonly query: QueryRows;
  /** Runs a statement without a result. */
  readonly run: (sql: string) => Promise<void>;
}

/**
 * Lets an engine compute the keys of events, and compares what an expression gives for
 * the request of the keys with partial evaluation of the event: whether it matches, and
 * on which unknown parts that depends.
 */
export async function compareWithEngine(
  dialect: DialectName,
  { query, run }: AskedEngine,
  {
    expressions,
    events,
    notSent,
  }: {
    readonly expressions: readonly string[];
    readonly events: readonly Event[];
    readonly notSent: ReadonlySet<string>;
  },
): Promise<Agreement> {
  const numbered = events.map((event, n) => ({ ...event, timestamp: n }));
  for (const sql of eventTables(dialect, numbered)) await run(sql);
  const columns = columnsOf(dialect);
  const table: EventTable = { dialect, table: "events", columns };
  const requests = events.map((event) => ({
    ...eventAsRuleRequest(event),
    notSent,
  }));
  const answers = { yes: 0, no: 0, "cannot tell": 0 };
  const differences: object[] = [];
  let [pairs, bySql] = [0, 0];
  for (const source of expressions) {
    const checked = checkExpression(source);
    if (!checked.ok) continue;
    const compiled = compileExpression(checked.expression);
    const said = (request: Parameters<typeof compiled.evaluatePartly>[0]) => {
      const found = compiled.evaluatePartly(request);
      if ("unknown" in found) return `? ${[...found.unknown].sort().join(" ")}`;
      return "value" in found && found.value ? "yes" : "no";
    };
    const keys = new RowKeys(table, [checked.expression], notSent);
    // Otherwise, a column is a key where no SQL says a condition.
    if (expressions.indexOf(source) % 2 === 0)
      await keys.decideTexts(query, "1 = 1");
    const rows = keys.rows("1 = 1", { c_n: columns.timestamp });
    const cells = keys.names.map((name) => `, ${name}`).join("");
    for (const [n, ...of] of await rowsOf(
      query(`SELECT c_n${cells} FROM (${rows}) AS t`),
    )) {
      const request = keys.request(of);
      const event = requests[Number(n)];
      if (!event) continue;
      pairs += 1;
      if (request.answers?.size) bySql += 1;
      const [ours, theirs] = [said(event), said(request)];
      answers[ours === "yes" || ours === "no" ? ours : "cannot tell"]++;
      if (ours !== theirs)
        differences.push({ source, event: events[Number(n)], ours, theirs });
    }
  }
  await run("DROP TABLE events");
  return { pairs, answers, bySql, differences };
}

/**
 * Expects that an engine agrees on all of the sampled pairs, and answers a leaf condition
 * in a share of them.
 */
export async function expectAgreement(
  dialect: DialectName,
  engine: AskedEngine,
  share: number,
): Promise<void> {
  const { pairs, ...sampled } = sampledPairs();
  const found = await compareWithEngine(dialect, engine, sampled);
  expect(found.differences.slice(0, 10)).toEqual([]);
  expect(found.pairs).toBeGreaterThan(pairs);
  expect(found.bySql).toBeGreaterThan(pairs * share);
  for (const answers of Object.values(found.answers))
    expect(answers).toBeGreaterThan(pairs / 10);
}

async function rowsOf(parts: ReturnType<QueryRows>) {
  const rows = [];
  for await (const part of parts) rows.push(...part);
  return rows;
}
