// @module-tag trino
import type { Event } from "@devid/sdk";
import { countUsage, measureImpact, UsageCounter } from "@devid/review/replay";
import { RuleSetDiffs } from "@devid/rules";
import { type QueryRows, quotedText, type SqlRow } from "@devid/warehouse/sql";
import { Warehouse } from "@devid/warehouse";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TrinoCluster } from "../../tools/warehouse/src";
import {
  compound,
  END,
  event,
  rules,
  START,
} from "../review/replay/random-replay";
import { compareWithEngine } from "../warehouse/sql/agreement";
import { sampledPairs } from "../warehouse/sql/sampled-pairs";

const EVENTS = 2_000;
const SETS = 5;
const seed = 20251120;

let trino: TrinoCluster;
beforeAll(async () => {
  trino = await TrinoCluster.start({ workers: 2 });
});
afterAll(() => trino?.stop());

const query: QueryRows = async function* (sql) {
  yield (await trino.run(sql)) as readonly SqlRow[];
};

it("Trino gives the same answer as partial evaluation for every event", async () => {
  const { pairs, ...sampled } = sampledPairs();
  const run = async (sql: string) => {
    await trino.run(sql);
  };
  const found = await compareWithEngine("trino", { query, run }, sampled);
  expect(found.differences.slice(0, 10)).toEqual([]);
  expect(found.pairs).toBeGreaterThan(pairs);
  expect(found.refused.length).toBeLessThan(pairs / 100);
});

type Cell = string | number | null | undefined;
const COLUMNS: Readonly<Record<string, (event: Event) => Cell>> = {
  event_id: ({ event_id }) => event_id,
  timestamp: ({ timestamp }) => timestamp,
  origin: ({ origin }) => origin,
  user_agent: ({ user_agent }) => user_agent,
  ip_address: ({ ip_address }) => ip_address,
  url: ({ url }) => url,
  linked_id: ({ linked_id }) => linked_id,
  bot: ({ bot }) => bot,
  suspect_score: ({ suspect_score }) => suspect_score,
  country: (event) => networkOf(event)?.geolocation?.country_code,
  asn: (event) => networkOf(event)?.asn,
  asn_name: (event) => networkOf(event)?.asn_name,
};

const networkOf = ({ ip_info }: Event) => ip_info?.v4 ?? ip_info?.v6;

const NUMBERS: Readonly<Record<string, string>> = {
  timestamp: "bigint",
  suspect_score: "double",
};

async function makeTable(events: readonly Event[]): Promise<void> {
  const columns = Object.keys(COLUMNS).map(
    (name) => `${name} ${NUMBERS[name] ?? "varchar"}`,
  );
  await trino.run(`CREATE TABLE events (${columns.join(", ")})`);
  const cell = (value: Cell) =>
    value === undefined || value === null
      ? "NULL"
      : typeof value === "number"
        ? String(value)
        : quotedText("trino", value);
  for (let at = 0; at < events.length; at += 500) {
    const rows = events.slice(at, at + 500).map(
      (one) =>
        `(${Object.values(COLUMNS)
          .map((of) => cell(of(one)))
          .join(", ")})`,
    );
    await trino.run(`INSERT INTO events VALUES ${rows.join(", ")}`);
  }
}

async function* each(events: readonly Event[]) {
  for (const one of events) yield await Promise.resolve(one);
}

it("a table on two nodes has the impact and the usage of a replay", async () => {
  const events = fc.sample(event, { numRuns: EVENTS, seed });
  await makeTable(events);
  const warehouse = await Warehouse.open(
    `trino:${trino.url}?catalog=memory&schema=default&table=events`,
  );
  try {
    const sets = fc.sample(fc.tuple(rules(compound), rules(compound)), {
      numRuns: SETS,
      seed,
    });
    let changed = 0;
    for (const [inForce, proposed] of sets) {
      const range = { start: START, end: END };
      const diffs = new RuleSetDiffs();
      const options = { ...range, inForce, proposed, diffs };
      const found = await warehouse.impact(options);
      expect(found).toEqual(await measureImpact(each(events), options));
      if (found.newlyDenied.events > 0) changed++;
      const counted = { ...range, rules: proposed };
      expect(await warehouse.usage(counted)).toEqual(
        await countUsage(each(events), new UsageCounter(counted)),
      );
    }
    expect(changed).toBeGreaterThan(0);
  } finally {
    await warehouse.close();
  }
});
