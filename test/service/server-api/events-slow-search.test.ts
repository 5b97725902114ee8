import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addEvents, idsOf, searchPage, sendEvents } from "./event-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { folderForTests } from "../../helpers/test-folder";

/** Too many to read at once, and too many with each value to sort at once. */
const COUNT = 30_000;
const NOW_MS = Date.now();

const folder = folderForTests();
let local: LocalWorkspace;
const data = () => join(folder, "data.db");
beforeAll(async () => {
  local = await LocalWorkspace.start({ data: data() });
  for (let from = 0; from < COUNT; from += 10_000)
    await addEvents(
      local,
      Array.from({ length: 10_000 }, (_, n) => ({
        event_id: `1.${from + n}`,
        timestamp: NOW_MS - COUNT + from + n,
        linked_id: (from + n) % 3 === 0 ? "third" : "other",
        vpn: from + n === 17,
      })),
    );
}, 60_000);
afterAll(async () => {
  await local.service.close();
});

/** A search that must read every event. */
const BROAD = "vpn=true";

describe("a search that must read many events", () => {
  it("finds all matches in order, for a value of every third event", async () => {
    const events = sendEvents(local);
    const expected = Array.from(
      { length: 250 },
      (_, n) => `1.${COUNT - 3 - 3 * n}`,
    );
    const query = "linked_id=third&limit=100";
    const ids: string[] = [];
    let key = "";
    for (let page = 0; page < 3; page += 1) {
      const found = await searchPage(events, query + key);
      ids.push(...idsOf(found.events));
      key = `&pagination_key=${found.pagination_key}`;
    }
    expect(ids.slice(0, 250)).toEqual(expected);
    expect((await searchPage(events, BROAD)).events).toMatchObject([
      { event_id: "1.17" },
    ]);
  });

  it("lets other calls run meanwhile", async () => {
    const done: string[] = [];
    const search = searchPage(sendEvents(local), `${BROAD}&total_hits=1000`);
    await Promise.all([
      search.then(() => done.push("search")),
      ...Array.from({ length: 3 }, async () => {
        await local.us("GET", "/hello");
        done.push("hello");
      }),
    ]);
    expect(done.at(-1)).toBe("search");
  });

  // contract: events-18, events-33, limits-4
  it("returns 504 after its time limit, unless it is done by then", async () => {
    await local.service.close();
    local = await LocalWorkspace.start({ data: data(), searchTimeoutMs: 0 });
    const events = sendEvents(local);
    const { status, error } = await events("GET", `/events?${BROAD}`);
    expect([status, error]).toEqual([
      504,
      { code: "failed", message: "gateway timeout" },
    ]);
    const { events: found } = await searchPage(events, "limit=100");
    expect(found).toHaveLength(100);
  });

  it("delays neither the stop of the service nor the next start", async () => {
    await local.service.close();
    local = await LocalWorkspace.start({ data: data() });
    const { url } = local.service;
    const headers = { authorization: "Bearer local-secret-us" };
    const search = fetch(`${url}/us/v4/events?${BROAD}`, { headers }).then(
      (response) => response.status,
      () => "cut off",
    );
    await local.service.close();
    expect([200, "cut off"]).toContain(await search);
    local = await LocalWorkspace.start({ data: data() });
    const found = await searchPage(sendEvents(local), BROAD);
    expect(idsOf(found.events)).toEqual(["1.17"]);
  });
});
