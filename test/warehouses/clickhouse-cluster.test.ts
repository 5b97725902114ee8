// @module-tag clickhouse
import { setTimeout as delay } from "node:timers/promises";
import { Warehouse, type WarehouseOptions } from "@devid/warehouse";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ClickHouseCluster } from "../../tools/warehouse/src";
import { DevidProcess } from "../cli/devid-process";
import {
  compound,
  END,
  event,
  rules,
  START,
} from "../review/replay/random-replay";
import { rule } from "../rules/diff/rule";
import { storeInClickHouse } from "./stored-tables";
import { columnOf, expectReplay, using } from "../warehouse/rows-of";

// Two shards of a real server, each with half of the events.

const PASSWORD = "s3cret";
/** Users, and the settings that limit each. */
const USERS = {
  free: {},
  limiting: { readonly: 2 },
  reading: { readonly: 1 },
  short: { readonly: 1, max_execution_time: 1 },
  few: { readonly: 2, max_rows_to_read: 100 },
};
type User = keyof typeof USERS;
const RANGE = { start: START, end: END };
const EVENTS = fc
  .sample(event, { numRuns: 2_000, seed: 20251120 })
  .map((one, n) => ({
    ...one,
    linked_id: [
      "u1",
      "tab\tbreak\nslash\\quote'",
      "\u00fc\ufeff\u{1f600}",
      undefined,
    ][n % 4],
  }));

/** The server is downloaded once. */
const INSTALLING_MS = 300_000;

let cluster: ClickHouseCluster;
beforeAll(async () => {
  const users = Object.entries(USERS).map(
    ([name, settings]) => [name, { password: PASSWORD, settings }] as const,
  );
  cluster = await ClickHouseCluster.start(Object.fromEntries(users));
  await storeInClickHouse(cluster, EVENTS);
  await cluster.makeView(
    "endless",
    "SELECT toString(number) AS event_id, toInt64(number) AS timestamp FROM system.numbers",
  );
}, INSTALLING_MS);
afterAll(() => cluster?.stop());

function open(
  user: User | "nobody",
  {
    table = "events",
    password = PASSWORD,
    ...options
  }: WarehouseOptions & {
    readonly table?: string;
    readonly password?: string;
  } = {},
): Promise<Warehouse> {
  vi.stubEnv("CLICKHOUSE_USER", user);
  vi.stubEnv("CLICKHOUSE_PASSWORD", password);
  const [address] = cluster.urls;
  return Warehouse.open(`clickhouse:${address}?table=${table}`, options);
}

const CHANGE = {
  inForce: [
    rule("bots", "http.user_agent.is_crawler_bot"),
    rule("net", "http.request.ip in cidr('10.0.0.0/8')"),
  ],
  proposed: [
    rule("bots", "http.user_agent.is_ai_bot"),
    rule("net", "http.request.ip in cidr('192.0.2.0/24')"),
    rule(
      "origin",
      "http.request.headers['Origin'][0] in ['https://a.example', 'https://c.example'] && http.user_agent.string matches '^Mozilla/[0-9]'",
    ),
  ],
};

describe("a distributed table of ClickHouse", () => {
  it("has half of the events on each shard", async () => {
    for (const shard of [0, 1]) {
      const found = await cluster.run(
        "SELECT count() FROM events_local",
        shard,
      );
      expect(Number(found)).toBeGreaterThan(EVENTS.length / 3);
    }
  });

  it.each<User>(["free", "limiting", "reading"])(
    "gives the user %s the impact and the usage of a replay",
    async (user) => {
      const random = fc.sample(
        fc.record({ inForce: rules(compound), proposed: rules(compound) }),
        { numRuns: 2, seed: 20251120 },
      );
      await using(open(user), async (warehouse) => {
        let changed = 0;
        for (const sets of user === "free" ? [CHANGE, ...random] : [CHANGE])
          changed += await expectReplay(warehouse, EVENTS, {
            ...{ ...RANGE, ...sets, by: "bot" },
          });
        expect(changed).toBeGreaterThan(0);
      });
    },
  );

  it("gives back every text of an event", async () => {
    await using(open("reading"), async (warehouse) => {
      const stored = EVENTS.map((one) => String(one.linked_id ?? null));
      expect(await columnOf(warehouse, "linked_id")).toEqual(stored.sort());
    });
  });
});

/** Reads a table until it ends or fails. */
const readAll = (
  user: User,
  options: Parameters<typeof open>[1],
  signal?: AbortSignal,
) =>
  using(open(user, options), async ({ engine }) => {
    const sql = `SELECT event_id FROM ${engine.table}`;
    for await (const rows of engine.query(sql, { signal })) void rows;
  });

const sentence = (words: string) =>
  new RegExp(`^Reading the events of ClickHouse at \\S+ failed: .*${words}.*$`);

it.each([
  [
    "a wrong password",
    open.bind(null, "free", { password: "x" }),
    "Check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD\\.",
  ],
  [
    "an unknown user",
    open.bind(null, "nobody"),
    "Check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD\\.",
  ],
  [
    "an unknown table",
    open.bind(null, "free", { table: "no.such" }),
    "Check table=DATABASE\\.TABLE",
  ],
  [
    "a limit of rows",
    () => readAll("few", {}),
    "Code: 158: .* limit of the user",
  ],
  [
    "a function that an old server lacks",
    () =>
      using(open("free"), (warehouse) =>
        warehouse.impact({
          ...{ ...RANGE, inForce: [], proposed: [] },
          by: "user_agent.member",
        }),
      ),
    "Unknown function JSONExtract\\. The server is too old",
  ],
  [
    "a limit of time",
    () => readAll("short", { table: "endless" }),
    "Code: 159: .* --max-query-time",
  ],
  [
    "the command's own limit of time",
    () => readAll("limiting", { table: "endless", maxSeconds: 1 }),
    "Code: 159: .* --max-query-time",
  ],
  [
    "the command's own limit, which a reading user may not set",
    () => readAll("reading", { table: "endless", maxSeconds: 1 }),
    "it took longer than 1 s\\. .* --max-query-time",
  ],
])("what ClickHouse refuses is one sentence for %s", async (_, work, words) => {
  await expect((work as () => Promise<unknown>)()).rejects.toMatchObject({
    name: "WarehouseQueryError",
    message: expect.stringMatching(sentence(words)) as string,
  });
});

/** The number of queries of a user that run on a shard, and on behalf of the user. */
const running = async (shard: number) =>
  Number(
    await cluster.run(
      "SELECT count() FROM system.processes WHERE query LIKE '%endless%' AND query NOT LIKE '%system.processes%'",
      shard,
    ),
  );

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}

const bothRun = async () => (await running(0)) > 0 && (await running(1)) > 0;
const noneRuns = async () => (await running(0)) + (await running(1)) === 0;

it.each<User>(["limiting", "reading"])(
  "an interrupted query of the user %s ends on both shards",
  async (user) => {
    const stop = new AbortController();
    const reading = readAll(user, { table: "endless" }, stop.signal);
    await until(bothRun);
    stop.abort(new Error("interrupted"));
    await expect(reading).rejects.toThrow("interrupted");
    await until(noneRuns);
  },
);

it("a shard that goes away is one sentence, and exit code 3", async () => {
  const reading = expect(
    readAll("limiting", { table: "endless" }),
  ).rejects.toMatchObject({ name: "UnreachableError" });
  await until(bothRun);
  await cluster.end(1);
  await reading;
  const source = `clickhouse:${cluster.urls[0]}?table=events`;
  const { code, stdout, stderr } = await DevidProcess.run(
    ["rules", "usage", "examples/gitops/rules.yaml", "--events", source],
    { CLICKHOUSE_USER: "limiting", CLICKHOUSE_PASSWORD: PASSWORD },
  );
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(
    /^devid: Reading the events of ClickHouse at \S+ failed: it could not be reached, or it went away \(a shard: ALL_CONNECTION_TRIES_FAILED\)\. .*\n$/,
  );
});
