import { describe, expect, it } from "vitest";
import {
  addEvents,
  idsOf,
  searchPage,
  sendEvents,
} from "../server-api/event-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW_MS = Date.UTC(2026, 5, 1, 12);

const local = localForTests({}, new Date(NOW_MS).toISOString());
const events = sendEvents(local);

const post = (body: unknown, region = "us") =>
  local.controlCall("POST", `/${region}/events`, { body });

describe("POST /_local/{region}/events", () => {
  it("fills in the required fields, and invents no signal", async () => {
    const [event] = await addEvents(local, [{}]);
    expect(event).toEqual({
      event_id: expect.stringMatching(/^\d{13}\.[0-9A-Za-z]{6}$/) as string,
      timestamp: expect.any(Number) as number,
      source: "device",
      environment_id: local.service.workspaces.us.environment,
      identification: {
        visitor_id: expect.stringMatching(/^[0-9A-Za-z]{20}$/) as string,
        visitor_found: false,
      },
    });
    expect(event?.event_id).toMatch(new RegExp(`^${event?.timestamp}\\.`));
    expect(event?.timestamp).toBeGreaterThanOrEqual(NOW_MS);
    expect(event?.timestamp).toBeLessThan(NOW_MS + 10_000);
  });

  it("keeps the given fields", async () => {
    const given = {
      event_id: "my-own_ID.1",
      timestamp: 5,
      source: "edge",
      environment_id: "ae_elsewhere",
      url: "https://a.example/x",
      origin: "https://b.example",
      bot: "of tomorrow",
      unknown: null,
    };
    expect(await addEvents(local, [given])).toEqual([given]);
    const [visitor] = await addEvents(local, [
      { identification: { visitor_id: "v", confidence: { score: 1 } } },
    ]);
    expect(visitor?.identification).toEqual({
      visitor_id: "v",
      visitor_found: false,
      confidence: { score: 1 },
    });
    const [judged] = await addEvents(local, [
      { rule_action: { type: "allow", ruleset_id: "r" } },
    ]);
    expect(judged).not.toHaveProperty("rule_action");
    const [app] = await addEvents(local, [{ url: "app://a.example/x" }]);
    expect(app).not.toHaveProperty("origin");
  });

  it("accepts thousands of events at once, each with its own ID", async () => {
    const body = Array.from({ length: 5_000 }, (_, n) => ({
      linked_id: `user-${n % 50}`,
      tags: { text: "x".repeat(1_000) },
    }));
    const stored = await addEvents(local, body);
    expect(new Set(idsOf(stored)).size).toBe(5_000);
    expect((await searchPage(events, "total_hits=1000")).total_hits).toBe(
      1_000,
    );
    const one = await searchPage(events, "linked_id=user-7&total_hits=1000");
    expect(one.total_hits).toBe(100);
    expect((await post(Array<object>(10_001).fill({}))).status).toBe(400);
  });

  it.each<[unknown, string]>([
    [{}, "body"],
    ["events", "body"],
    [[{}, 5], "[1]"],
    [[{ event_id: "" }], "[0].event_id"],
    [[{ event_id: "a/b" }], "[0].event_id"],
    [[{ timestamp: -1 }], "[0].timestamp"],
    [[{ timestamp: 1.5 }], "[0].timestamp"],
    [[{ timestamp: 1e16 }], "[0].timestamp"],
    [[{}, {}, { identification: {} }], "[2].identification.visitor_id"],
    [[{ vpn: "true" }], "[0].vpn"],
    [[{ bot_info: { category: "ai_agent" } }], "[0].bot_info.name"],
    [[{ ip_info: { v4: {} } }], "[0].ip_info.v4.address"],
    [[{ sdk: { platform: "js" } }], "[0].sdk.version"],
    [[{ tags: [] }], "[0].tags"],
  ])("refuses %j, and names the place", async (body, place) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.violated).toContain(place);
    expect((await searchPage(events)).events).toEqual([]);
  });

  it("stores no event if an ID occurs twice", async () => {
    await addEvents(local, [{ event_id: "1.a" }]);
    for (const [body, index] of [
      [[{}, { event_id: "1.a" }, {}], 1],
      [[{ event_id: "1.b" }, {}, { event_id: "1.b" }], 2],
    ] as const) {
      const { status, error } = await post(body);
      expect([status, error.code]).toEqual([409, "conflict"]);
      expect(error.message).toMatch(
        new RegExp(`^\\[${index}\\]: event_id 1\\.[ab] exists`),
      );
    }
    expect(idsOf((await searchPage(events)).events)).toEqual(["1.a"]);
    expect((await post([{ event_id: "1.a" }], "eu")).status).toBe(201);
  });
});
