import { describe, expect, it } from "vitest";
import {
  addEvents,
  idsOf,
  searchPage,
  sendEvents,
} from "../server-api/event-calls.js";
import { requestTests } from "../request-tests.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW_MS = Date.UTC(2026, 5, 1, 12);

const local = localForTests({}, new Date(NOW_MS).toISOString());
const events = sendEvents(local);

requestTests(
  local,
  `
wrong events are refused, and the place is named
  control POST /us/events {} = 400 [body]
  control POST /us/events events = 400 [body]
  control POST /us/events [{}, 5] = 400 ["[1]"]
  control POST /us/events [{event_id: ""}] = 400 ["[0].event_id"]
  control POST /us/events [{event_id: a/b}] = 400 ["[0].event_id"]
  control POST /us/events [{timestamp: -1}] = 400 ["[0].timestamp"]
  control POST /us/events [{timestamp: 1.5}] = 400 ["[0].timestamp"]
  control POST /us/events [{timestamp: 1e16}] = 400 ["[0].timestamp",
    "[0].timestamp"]
  control POST /us/events [{}, {}, {identification: {}}] = 400
    ["[2].identification.visitor_id"]
  control POST /us/events [{vpn: "true"}] = 400 ["[0].vpn"]
  control POST /us/events [{bot_info: {category: ai_agent, provider: x}}] = 400
    ["[0].bot_info.confidence", "[0].bot_info.identity", "[0].bot_info.name"]
  control POST /us/events [{ip_info: {v4: {}}}] = 400 ["[0].ip_info.v4.address"]
  control POST /us/events [{sdk: {platform: js}}] = 400 ["[0].sdk.version"]
  control POST /us/events [{tags: []}] = 400 ["[0].tags"]
`,
);

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
    const count = async (query: string) =>
      (await searchPage(events, `${query}&total_hits=1000`)).total_hits;
    expect(await count("")).toBe(1_000);
    expect(await count("linked_id=user-7")).toBe(100);
    expect((await post(Array<object>(10_001).fill({}))).status).toBe(400);
  });

  it("stores no event if one is wrong or an ID occurs twice", async () => {
    expect((await post([{}, { tags: [] }])).status).toBe(400);
    await addEvents(local, [{ event_id: "1.a" }]);
    for (const [body, index] of [
      [[{}, { event_id: "1.a" }, {}], 1],
      [[{ event_id: "1.b" }, {}, { event_id: "1.b" }], 2],
    ] as const) {
      const answer = await post(body);
      expect(answer.refusal).toEqual([409, "conflict"]);
      const place = new RegExp(`^\\[${index}\\]: event_id 1\\.[ab] exists`);
      expect(answer.error.message).toMatch(place);
    }
    expect(idsOf((await searchPage(events)).events)).toEqual(["1.a"]);
    expect((await post([{ event_id: "1.a" }], "eu")).status).toBe(201);
  });
});
