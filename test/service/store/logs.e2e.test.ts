import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Clock } from "../../../service/src/clock";
import {
  type LoggedRequest,
  RequestLog,
  REQUESTS_KEPT,
} from "../../../service/src/http/request-log";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { Db } from "../../../service/src/store/db";
import {
  DECISIONS_KEPT,
  type Decision,
} from "../../../service/src/store/decisions";
import {
  ENDED_DELIVERIES_KEPT,
  type NewDelivery,
  PENDING_DELIVERIES_KEPT,
} from "../../../service/src/store/deliveries";
import { openStore, type Store } from "../../../service/src/store/store";

const DECISION: Decision = {
  environment: "ae_1",
  key: "tok_1",
  result: "allow",
  deny_with: null,
  rule: { id: "tr_1", name: "our-shop", expression: "true" },
  event_id: null,
  request: { headers: {}, ip: "203.0.113.7" },
};

describe("the logs of a store:", () => {
  let clock: Clock;
  let db: Db;
  let store: Store;
  /** The SQL of all queries so far. */
  let asked: Set<string>;

  beforeEach(() => {
    clock = new Clock();
    const open = vi.spyOn(Db, "open");
    store = openStore(":memory:", clock, DEVELOPMENT_KEYS);
    db = open.mock.results[0]?.value as Db;
    open.mockRestore();
    asked = new Set();
    for (const method of ["all", "get", "value", "run"] as const) {
      const original = db[method].bind(db) as (...call: unknown[]) => never;
      vi.spyOn(db, method).mockImplementation((...call: [string]) => {
        asked.add(call[0]);
        return original(...call);
      });
    }
  });
  afterEach(() => {
    store.close();
  });

  /** Advances the counter, as if `rows` rows of another workspace had come and gone. */
  const passOver = (table: string, rows: number) => {
    const sql = "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?";
    db.run(sql, rows, table);
  };
  const numbers = () =>
    store.decisions.since("us", 0, 20_000).map(({ n }) => n);
  const decide = (more: Partial<Decision> = {}) =>
    store.decisions.add("us", { ...DECISION, ...more });
  const long = (bytes: number) => ({
    request: { headers: { X: ["x".repeat(bytes)] } },
  });
  const deliver = (more: Partial<NewDelivery> = {}) =>
    store.deliveries.add({
      workspace: "us",
      webhook: "wh_1",
      kind: "event",
      event_id: "1.a",
      body: "{}",
      made_at: clock.nowMs(),
      ...more,
    });
  const finish = (more: Partial<NewDelivery> = {}) => {
    const { seq } = deliver(more);
    store.deliveries.close(seq, "delivered", clock.nowMs());
    return seq;
  };
  const deliveries = () =>
    store.deliveries.since("us", 0, 100_000).map(({ seq }) => seq);

  it("decisions are kept up to a number", () => {
    decide();
    passOver("decisions", DECISIONS_KEPT.rows - 3);
    decide();
    decide();
    const first = [1, DECISIONS_KEPT.rows - 1, DECISIONS_KEPT.rows];
    expect(numbers()).toEqual(first);
    decide();
    expect(numbers()).toEqual([...first.slice(1), DECISIONS_KEPT.rows + 1]);
  });

  it("decisions are kept up to a size", () => {
    const bytes = DECISIONS_KEPT.bytes / 5;
    for (let n = 0; n < 8; n++) decide(long(bytes));
    expect(numbers()).toEqual([4, 5, 6, 7, 8]);
    decide(long(2 * DECISIONS_KEPT.bytes));
    expect(numbers()).toEqual([9]);
  });

  it("ended deliveries are kept up to a number, and waiting deliveries are always kept", () => {
    const waiting = deliver({ webhook: "wh_slow" }).seq;
    const ended = finish();
    passOver("deliveries", ENDED_DELIVERIES_KEPT.rows - 2);
    const last = finish();
    expect(deliveries()).toEqual([waiting, ended, last]);
    finish();
    finish();
    expect(deliveries()).toEqual([waiting, last, last + 1, last + 2]);
  });

  it("ended deliveries are kept up to a size", () => {
    const body = "x".repeat(ENDED_DELIVERIES_KEPT.bytes / 4);
    const waiting = deliver({ webhook: "wh_slow" }).seq;
    for (let n = 0; n < 8; n++) finish({ body });
    expect(deliveries()).toEqual([waiting, 6, 7, 8, 9]);
  });

  it("the queue of a webhook has a largest number, and later deliveries are given up", () => {
    store.transaction(() => {
      for (let n = 0; n < PENDING_DELIVERIES_KEPT.rows; n++) deliver();
    });
    expect(deliver({ event_id: "2.b" })).toMatchObject({
      ...{ event_id: "2.b", state: "given_up", due_at: null },
      reason: expect.toSay("delivery/full-queue"),
    });
    const other = { state: "pending", reason: null };
    expect(deliver({ webhook: "wh_2" })).toMatchObject(other);
    expect(deliveries().length).toBe(PENDING_DELIVERIES_KEPT.rows + 2);
    // Once one delivery is sent, there is space again.
    store.deliveries.close(1, "delivered", clock.nowMs());
    expect([deliver().state, deliver().state]).toEqual(["pending", "given_up"]);
  });

  it("the queue of a webhook has a largest size, and accepts one delivery that is larger", () => {
    const body = "x".repeat(PENDING_DELIVERIES_KEPT.bytes / 4);
    const states = Array.from({ length: 6 }, () => deliver({ body }).state);
    const kept = Array<string>(4).fill("pending");
    expect(states).toEqual([...kept, "given_up", "given_up"]);
    const huge = deliver({ webhook: "wh_2", body: body.repeat(5) });
    expect(huge.state).toBe("pending");
  });

  it("no query scans a whole table", () => {
    const { activity, decisions, deliveries, filteringRules } = store;
    decide();
    finish();
    const { seq } = deliver();
    deliveries.due("wh_1", clock.nowMs(), 10);
    deliveries.begin(seq, { attempt: 1, url: "", signature: "", at: 0 });
    const nothing = { answer_headers: null, answer_body: null, error: null };
    deliveries.end(seq, 1, { took_ms: 1, status: 200, ...nothing });
    deliveries.postpone(seq, 0);
    deliveries.underWay();
    deliveries.queues();
    deliveries.dueBy(0);
    deliveries.attempts(seq);
    deliveries.get(seq);
    deliveries.latest(["us", "eu", "ap"], 30);
    deliveries.since("us", 0, 500);
    decisions.since("us", 0, 500);
    activity.visits(["us", "eu", "ap"], 30);
    activity.decision("us", 1);
    activity.ruleHits("us");
    store.changes();
    filteringRules.list("us", { environment: "ae_1" }, 50);
    expect(asked.size).toBeGreaterThan(25);
    const used = new Set<string>();
    for (const sql of [...asked]) {
      const steps = db.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${sql}`,
        ...Array<null>(placesOf(sql)).fill(null),
      );
      const details = steps.map(({ detail }) => detail);
      const slow = details.filter((detail) =>
        /^SCAN (\w+)$|TEMP B-TREE/.test(detail.replace("SCAN queues", "")),
      );
      expect(slow, sql).toEqual([]);
      for (const { detail } of steps)
        used.add(/ INDEX (\w+)/.exec(detail)?.[1] ?? "");
    }
    const indexes =
      "decisions_by_rule decisions_in_order deliveries_due deliveries_ended deliveries_in_order deliveries_under_way events_in_order";
    for (const index of indexes.split(" ")) expect(used).toContain(index);
  });
});

/** The number of parameters of a statement. */
function placesOf(sql: string): number {
  const numbered = [...sql.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n));
  return numbered.length > 0
    ? Math.max(...numbered)
    : (sql.match(/\?/g) ?? []).length;
}

describe("the request log", () => {
  let log: RequestLog;
  beforeEach(() => {
    log = new RequestLog();
  });

  const add = (path = "/us/v4/events"): LoggedRequest =>
    log.add({ method: "GET", path, surface: "events", key: null, at: "" });
  const numbers = (since = 0) => log.since(since).map(({ n }) => n);

  it("keeps requests up to a number", () => {
    for (let n = 0; n < REQUESTS_KEPT.rows + 3; n++) add();
    expect(numbers()).toHaveLength(REQUESTS_KEPT.rows);
    expect(numbers()[0]).toBe(4);
    expect(numbers(REQUESTS_KEPT.rows)).toEqual([20_001, 20_002, 20_003]);
    expect(numbers(REQUESTS_KEPT.rows + 3)).toEqual([]);
  });

  it("keeps requests up to a size", () => {
    const path = `/${"x".repeat(16_000)}`;
    for (let n = 0; n < 1_500; n++) add(path);
    expect(numbers().length * path.length).toBeLessThan(REQUESTS_KEPT.bytes);
    expect(numbers().length).toBeGreaterThan(950);
    expect(numbers().at(-1)).toBe(1_500);
  });

  it("starts again at number 1 after a reset", () => {
    add();
    add();
    expect(numbers(1)).toEqual([2]);
    log.reset();
    expect(add().n).toBe(1);
  });

  it("has a new version after every request and every answer", () => {
    const changes = [log.changes()];
    const entry = add();
    changes.push(log.changes());
    log.answer(entry, 404);
    changes.push(log.changes());
    expect(new Set(changes).size).toBe(3);
    expect(log.since(0)[0]?.status).toBe(404);
  });
});
