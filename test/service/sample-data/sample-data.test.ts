import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decision } from "../../../service/src/store/records/decisions";
import type { Delivery } from "../../../service/src/control/history-operations";
import { sampleWeek } from "../../../service/src/sample-data/sample-week";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decisionsOf } from "../identification/identify-calls";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sendEvents } from "../server-api/event-calls";

const DAY_MS = 24 * 3_600_000;

const SIZE = {
  pages: 50,
  apps: 5,
  crawlers: 5,
  scripts: 5,
  copies: 5,
  attack: 5,
};

it("the same seed gives the same visits, and another seed gives other visits", () => {
  const week = sampleWeek(1, SIZE);
  expect(week).toHaveLength(75);
  expect(sampleWeek(1, SIZE)).toEqual(week);
  expect(sampleWeek(2, SIZE)).not.toEqual(week);
  const shares = week.map(({ share }) => share);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

describe("a service with sample data", () => {
  let local: LocalWorkspace;
  const folder = mkdtempSync(join(tmpdir(), "devid-sample-"));
  const data = join(folder, "service.db");
  const start = () => LocalWorkspace.start({ data, sampleData: true });
  const startedMs = Date.now();

  beforeAll(async () => {
    local = await start();
  });
  afterAll(async () => {
    await local.close();
    rmSync(folder, { recursive: true });
  });

  const decisions = async () =>
    (await decisionsOf(local)) as unknown as (Decision & { at: string })[];

  it("has the events of the past week, up to now", async () => {
    const times = (await decisions()).map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(startedMs - 7 * DAY_MS - 60_000);
    expect(times.at(-1)).toBeLessThan(Date.now());
    expect(times.at(-1)).toBeGreaterThan(startedMs - DAY_MS);
    const search = sendEvents(local);
    const { body } = await search("GET", "/events?bot=bad&total_hits=1000");
    expect(body).toMatchObject({ total_hits: 90 });
  });

  it("has denied requests for each rule, also from before the rules were overwritten", async () => {
    const found = new Map<string, { hits: number; ids: Set<string> }>();
    for (const { rule, result } of await decisions()) {
      const key = `${result} ${rule?.name ?? "no rule"}`;
      const row = found.get(key) ?? { hits: 0, ids: new Set() };
      row.ids.add(rule?.id ?? "");
      found.set(key, { hits: row.hits + 1, ids: row.ids });
    }
    const shown = [...found].map(([key, { hits, ids }]) => [
      key,
      hits,
      ids.size,
    ]);
    // The visits are the same each time, with other times and IDs.
    expect(shown.toSorted()).toMatchInlineSnapshot(`
      [
        [
          "allow allow-our-shop",
          1219,
          2,
        ],
        [
          "allow no rule",
          150,
          1,
        ],
        [
          "deny block-crawlers",
          51,
          2,
        ],
        [
          "deny block-other-sites",
          40,
          2,
        ],
        [
          "deny block-scripts",
          20,
          1,
        ],
      ]
    `);
  });

  it("has successful and failed deliveries, and sends none", async () => {
    const deliveries: Delivery[] = [];
    for (let page: Delivery[] | undefined; page?.length !== 0;) {
      const since = deliveries.at(-1)?.n ?? 0;
      const path = `/us/deliveries?since=${since}`;
      page = (await local.controlCall("GET", path)).body as Delivery[];
      deliveries.push(...page);
    }
    expect(deliveries).toHaveLength(1_369);
    const states = new Set(deliveries.map(({ state }) => state));
    expect([...states].toSorted()).toEqual(["delivered", "failed"]);
    const retried = deliveries.filter(({ attempts }) => attempts.length > 1);
    expect(retried.length).toBeGreaterThan(10);
    const { body: webhooks } = await local.us("GET", "/webhooks");
    expect(webhooks).toMatchObject({ data: [{ status: "disabled" }] });
  });

  it("keeps the default environment as the oldest", async () => {
    const { body } = await local.us("GET", "/environments");
    const { data } = body as { data: { id: string; created_at: string }[] };
    const [oldest] = data.toSorted((a, b) =>
      a.created_at.localeCompare(b.created_at),
    );
    expect(data).toHaveLength(2);
    expect(oldest?.id).toBe(local.service.workspaces.us.environment);
  });

  it("adds nothing if there are already events", async () => {
    const before = (await decisions()).length;
    await local.close();
    local = await start();
    expect((await decisions()).length).toBe(before);
  });
});
