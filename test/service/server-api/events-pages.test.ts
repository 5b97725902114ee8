import { INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import { describe, expect, it } from "vitest";
import {
  addEvents,
  idsOf,
  searchPage,
  searchPages,
  sendEvents,
} from "./event-calls.js";
import type { Send } from "../sender.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const DAY_MS = 86_400_000;

const local = localForTests();
const events = sendEvents(local);

const add = (count: number, part: object = {}) =>
  addEvents(local, Array<object>(count).fill(part) as never);
const keyOf = async (query: string) =>
  (await searchPage(events, query)).pagination_key ?? "";
const refusal = async (send: Send, query: string, key: string) => {
  const parameters = new URLSearchParams(query);
  parameters.set("pagination_key", key);
  const answer = await send("GET", `/events?${String(parameters)}`);
  return answer.status === 200 ? "taken" : answer.error;
};
const code = "request_cannot_be_parsed";
const INVALID = { code, message: INVALID_PAGINATION_KEY };

describe("the pages of a search", () => {
  // contract: events-103
  it("are a single empty page without a key if nothing matches", async () => {
    await add(3);
    expect(await searchPage(events, "linked_id=a")).toEqual({ events: [] });
  });

  // contract: events-96
  it("keep the time window of the first page while the clock moves on, even beyond the lookback", async () => {
    const start = Date.now() - 89 * DAY_MS;
    const stored = await add(3, { timestamp: start });
    for (const query of ["limit=2", `limit=2&start=${start}`]) {
      const recent = await add(3, { timestamp: Date.now() - 1_000 });
      const pages = searchPages(events, query);
      const ids = idsOf((await pages.next()).value?.events ?? []);
      await local.advance("30d");
      for await (const page of pages) ids.push(...idsOf(page.events));
      expect(ids).toEqual(expect.arrayContaining(idsOf(recent)));
      expect(ids.includes(stored[0]?.event_id ?? "")).toBe(
        query.includes("start"),
      );
      await local.moveClock(new Date().toISOString());
    }
  });
});

describe("a pagination key", () => {
  it("is short and contains no ID", async () => {
    const stored = await add(9);
    const key = await keyOf("limit=2");
    expect(key.length).toBeLessThan(80);
    expect(encodeURIComponent(key)).toBe(key);
    for (const { event_id, identification } of stored) {
      expect(key).not.toContain(event_id);
      expect(key).not.toContain(identification?.visitor_id);
    }
  });

  // contract: events-54
  it("is refused if one of its characters is changed", async () => {
    await add(9);
    const key = await keyOf("limit=2");
    for (let n = 0; n < key.length; n += 1) {
      const other = key[n] === "0" ? "1" : "0";
      const changed = key.slice(0, n) + other + key.slice(n + 1);
      expect(await refusal(events, "limit=2", changed)).toEqual(INVALID);
    }
    for (const changed of [
      "x",
      key.slice(0, -1),
      `${key}x`,
      `0${key}`,
      key.toUpperCase(),
      key.split(".").slice(0, 5).join("."),
    ])
      expect(await refusal(events, "limit=2", changed)).toEqual(INVALID);
    expect(await refusal(events, "limit=2", key)).toBe("taken");
  });

  // contract: events-96
  it("is valid for its own search only", async () => {
    await add(9, { linked_id: "a", vpn: true });
    const key = await keyOf("limit=2&linked_id=a&vpn=true");
    for (const query of [
      "limit=2&vpn=true",
      "limit=2&linked_id=a",
      "limit=2&linked_id=b&vpn=true",
      "limit=2&linked_id=a&vpn=false",
      "limit=2&linked_id=a&vpn=true&reverse=true",
      "limit=2&linked_id=a&vpn=true&start=2026-01-01T00:00:00Z",
      `limit=2&linked_id=a&vpn=true&end=${Date.now()}`,
      "limit=2&linked_id=a&vpn=true&environment=ae_1",
    ])
      expect(await refusal(events, query, key), query).toEqual(INVALID);
    for (const query of [
      "vpn=true&limit=2&linked_id=a",
      "limit=7&linked_id=a&vpn=true&reverse=false&ii=sdk%2F1",
    ])
      expect(await refusal(events, query, key)).toBe("taken");
  });

  // contract: events-96
  it("is valid for its own workspace and scope only", async () => {
    await add(9);
    await addEvents(local, Array<object>(9).fill({}) as never, "eu");
    const key = await keyOf("limit=2");
    const eu = sendEvents(local, "eu");
    expect(await refusal(eu, "limit=2", key)).toEqual(INVALID);
    const { environment } = local.service.workspaces.us;
    const { token } = await local.newKey({ environment });
    const send = sendEvents(local, "us", token);
    expect(await refusal(send, "limit=2", key)).toEqual(INVALID);
    const own = (await searchPage(send, "limit=2")).pagination_key ?? "";
    expect(await refusal(send, "limit=2", own)).toBe("taken");
    expect(await refusal(events, "limit=2", own)).toEqual(INVALID);
  });

  it("finds nothing after a reset", async () => {
    await add(9);
    const key = await keyOf("limit=2");
    await local.reset();
    await add(9);
    const page = await searchPage(events, `limit=2&pagination_key=${key}`);
    expect(page).toEqual({ events: [] });
  });
});
