import { describe, expect, it } from "vitest";
import { sendDrn } from "../device-reputation/drn-calls.js";
import { addEvents, searchPage, sendEvents } from "./event-calls.js";
import { NOW, sendLegacy } from "./legacy/legacy-calls.js";
import { localForTest, localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

describe("the events API", () => {
  it("says how to send a key that came without the word Bearer", async () => {
    const { secretKey } = local.service.workspaces.us;
    const headers = { authorization: secretKey };
    const answer = await sendEvents(local)("GET", "/events", { headers });
    expect(answer.refusal).toEqual([403, "secret_api_key_required"]);
    const way = "Send the header Authorization: Bearer <secret API key>.";
    expect(answer.error.message).toBe(way);
  });

  // contract: events-14
  it("does not show the events of another workspace", async () => {
    const [event] = await addEvents(local, [{ event_id: "1.a" }]);
    const eu = sendEvents(local, "eu");
    expect((await searchPage(eu)).events).toEqual([]);
    expect((await eu("GET", "/events/1.a")).status).toBe(404);
    const body = { suspect: true };
    expect((await eu("PATCH", "/events/1.a", { body })).status).toBe(404);
    await addEvents(local, [{ event_id: "1.a", linked_id: "eu" }], "eu");
    expect((await sendEvents(local)("GET", "/events/1.a")).body).toEqual(event);
  });

  // contract: events-5, events-6
  it("shows a key of an environment only the events of that environment", async () => {
    const { environment } = local.service.workspaces.us;
    const staging = await local.newEnvironment();
    const [first, second] = await addEvents(local, [
      { timestamp: Date.now() - 10_000 },
      { timestamp: Date.now() - 10_000, environment_id: staging },
    ]);
    const { token } = await local.newKey({ environment: staging });
    const scoped = sendEvents(local, "us", token);
    const all = sendEvents(local);
    const page = await searchPage(scoped, "total_hits=9");
    expect(page).toMatchObject({ events: [second], total_hits: 1 });
    expect((await searchPage(all)).events).toHaveLength(2);
    const other = await searchPage(scoped, `environment=${environment}`);
    expect(other.events).toEqual([]);
    const change = { body: { suspect: true } };
    for (const [send, id, status] of [
      [scoped, first?.event_id, 404],
      [scoped, second?.event_id, 200],
      [all, first?.event_id, 200],
    ] as const) {
      const path = `/events/${id}`;
      expect((await send("GET", path)).status).toBe(status);
      expect((await send("PATCH", path, change)).status).toBe(status);
    }
  });
});

describe("the rate of the events API", () => {
  // contract: events-19, events-32
  it("is counted for each key, and the answer to a search says so", async () => {
    const own = await localForTest({ rateLimit: 0.01 });
    const { token } = await own.newKey();
    const events = sendEvents(own);
    await events("GET", "/events");
    for (const [path, message] of [
      ["/events", "too many search requests"],
      ["/events/none", "too many requests"],
    ] as const) {
      const refused = await events("GET", path);
      expect(refused.error).toEqual({ code: "too_many_requests", message });
      expect(refused.headers.has("retry-after")).toBe(false);
    }
    const other = await sendEvents(own, "us", token)("GET", "/events");
    expect(other.status).toBe(200);
  });

  /** How many of 20 simultaneous calls are not throttled. */
  const servedAtOnce = async (call: () => Promise<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    return answers.filter(({ status }) => status !== 429).length;
  };

  it("can be set for a key, also to the default of new keys", async () => {
    const own = await localForTest({ rateLimit: 1_000 });
    const { id, token } = await own.newKey();
    const events = sendEvents(own, "us", token);
    const search = () => events("GET", "/events");
    expect(await servedAtOnce(search)).toBe(20);
    await own.us("PATCH", `/api-keys/${id}`, { body: { name: "six" } });
    expect(await servedAtOnce(search)).toBe(20);
    await own.us("PATCH", `/api-keys/${id}`, { body: { rate_limit: 5 } });
    expect(await servedAtOnce(search)).toBeLessThan(20);
  });

  // contract: management-61
  it("of a key also applies to version 3 and device reputation", async () => {
    const own = await localForTest({ rateLimit: 5 });
    await own.moveClock(NOW);
    const { id, token } = await own.newKey();
    await own.us("PATCH", `/api-keys/${id}`, { body: { rate_limit: 0.1 } });
    const headers = { authorization: `Bearer ${token}` };
    const v4 = sendEvents(own, "us", token);
    const v3 = sendLegacy(own, "us", token);
    const drn = sendDrn(own);
    expect(await servedAtOnce(() => v4("GET", "/events"))).toBe(1);
    const search = "/events/search?limit=1";
    expect(await servedAtOnce(() => v3("GET", search))).toBe(1);
    const reputation = () => drn("GET", "/v1", { headers });
    expect(await servedAtOnce(reputation)).toBe(1);
  });
});
