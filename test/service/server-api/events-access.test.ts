import { describe, expect, it } from "vitest";
import { sendDrn } from "../device-reputation/drn-calls.js";
import { addEvents, idsOf, searchPage, sendEvents } from "./event-calls.js";
import { NOW, sendLegacy } from "./legacy/legacy-calls.js";
import { localForTest, localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

describe("the events API", () => {
  it("says how to send a key that came without the word Bearer", async () => {
    const { secretKey } = local.service.workspaces.us;
    const { status, error } = await sendEvents(local)("GET", "/events", {
      headers: { authorization: secretKey },
    });
    expect([status, error.code, error.message]).toEqual([
      403,
      "secret_api_key_required",
      "Send the header Authorization: Bearer <secret API key>.",
    ]);
  });

  // contract: events-14
  it("does not show the events of another workspace", async () => {
    const [event] = await addEvents(local, [{ event_id: "1.a" }]);
    const eu = sendEvents(local, "eu");
    expect((await searchPage(eu)).events).toEqual([]);
    expect((await eu("GET", "/events/1.a")).status).toBe(404);
    expect(
      (await eu("PATCH", "/events/1.a", { body: { suspect: true } })).status,
    ).toBe(404);
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
    expect(idsOf((await searchPage(scoped)).events)).toEqual([
      second?.event_id,
    ]);
    expect((await searchPage(all)).events).toHaveLength(2);
    expect((await searchPage(scoped, "total_hits=9")).total_hits).toBe(1);
    expect(
      (await searchPage(scoped, `environment=${environment}`)).events,
    ).toEqual([]);
    const change = { body: { suspect: true } };
    for (const [send, id, status] of [
      [scoped, first?.event_id, 404],
      [scoped, second?.event_id, 200],
      [all, first?.event_id, 200],
    ] as const) {
      expect((await send("GET", `/events/${id}`)).status).toBe(status);
      expect((await send("PATCH", `/events/${id}`, change)).status).toBe(
        status,
      );
    }
  });
});

describe("the rate of the events API", () => {
  // contract: events-19, events-32
  it("is counted for each key, separately from the other surfaces", async () => {
    const own = await localForTest({ rateLimit: 2 });
    const burst = async (token: string) => {
      const events = sendEvents(own, "us", token);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => events("GET", "/events")),
      );
      return answers.filter(({ status }) => status === 429);
    };
    const { token } = await own.newKey();
    const [refused] = await burst("local-secret-us");
    expect(refused?.error).toEqual({
      code: "too_many_requests",
      message: "too many search requests",
    });
    expect(refused?.headers.has("retry-after")).toBe(false);
    const event = await sendEvents(own, "us")("GET", "/events/none");
    expect([event.status, event.error.message]).toEqual([
      429,
      "too many requests",
    ]);
    expect((await own.us("GET", "/hello")).status).toBe(200);
    expect((await burst(token)).length).toBeLessThan(8);
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
    const reputation = () => drn("v1", "timestamps", { headers });
    expect(await servedAtOnce(reputation)).toBe(1);
  });
});
