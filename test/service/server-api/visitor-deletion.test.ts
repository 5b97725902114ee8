import type { Event } from "@devid/sdk";
import { describe, expect, it, vi } from "vitest";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { visit } from "../identification/identify-calls.js";
import { requestTests } from "../request-tests.js";
import { addEvents, searchPage, sendEvents } from "./event-calls.js";
import { NOW, NOW_MS, sendLegacy } from "./legacy/legacy-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const DAY_MS = 24 * 60 * 60 * 1000;

const local = localForTests({}, NOW);
const v4 = sendEvents(local);
const v3 = sendLegacy(local);

const advance = (time: string) => local.advance(time);
const enable = () => local.set({ visitorDeletion: true });

const identified = (visitor_id: string, ageMs = 0) => ({
  timestamp: NOW_MS - ageMs,
  identification: { visitor_id, visitor_found: true },
});
const statusOf = async ({ event_id }: Event) =>
  (await v4("GET", `/events/${event_id}`)).status;

const ON = "control POST /us/settings {visitorDeletion: true} = 200";
const inCamelCase = (code: string) =>
  code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

for (const version of ["v4", "v3"] as const) {
  const visitor = `${version} DELETE /visitors`;
  const code = (name: string) => (version === "v4" ? name : inCamelCase(name));
  requestTests(
    local,
    `
// contract: events-121
${visitor} is refused unless a control call enabled it
  control POST /us/events [{event_id: e, identification: {visitor_id: v}}] = 201
  ${visitor}/v = 403 ${code("feature_not_enabled")} {message:
    '~.*{"visitorDeletion": true}'}
  clock 2026-06-02T12:00:00Z
  v4 GET /events/e = 200
// contract: events-120, legacy-42
${visitor} returns 200, and deletes after 5 minutes
  ${ON}
  control POST /us/events [{event_id: e, identification: {visitor_id: v}}, {event_id:
    other, identification: {visitor_id: w}}] = 201
  ${visitor}/v = 200
  clock 2026-06-01T12:04:00Z
  v4 GET /events/e = 200
  clock 2026-06-01T12:05:01Z
  v4 GET /events/e = 404
  v4 GET /events/other = 200
  v3 GET /visitors/v = 404
  ${visitor}/v = 404 ${code("visitor_not_found")}
// contract: events-127, events-128
${visitor} distinguishes an unknown visitor from an invalid visitor ID
  ${ON}
  control POST /eu/events [{identification: {visitor_id: v}}] = 201
  ${visitor}/v = 404 ${code("visitor_not_found")}
  ${visitor}/a%20b = 400 ${code("request_cannot_be_parsed")}
  ${visitor}/${"x".repeat(65)} = 400 ${code("request_cannot_be_parsed")}
  ${visitor}/n%2Fa = 400 ${code("request_cannot_be_parsed")}
`,
  );
}

describe.each([
  ["version 4", () => v4],
  ["version 3", () => v3],
])("DELETE /visitors/{visitor_id} in %s", (version, send) => {
  const codes = (now: string, old: string) =>
    version === "version 4" ? now : old;
  const ask = (id: string) => send()("DELETE", `/visitors/${id}`);

  // contract: events-128
  it("accepts only a key of the whole workspace", async () => {
    await enable();
    await addEvents(local, [identified("v")]);
    const { environment } = local.service.workspaces.us;
    const { token } = await local.newKey({ environment });
    const scoped = version === "version 4" ? sendEvents : sendLegacy;
    const send = scoped(local, "us", token);
    const answer = await send("DELETE", "/visitors/v");
    const workspaceScoped = "WorkspaceScopedSecretKeyRequired";
    const code = codes("feature_not_enabled", workspaceScoped);
    expect(answer.refusal).toEqual([403, code]);
    expect(answer.error.message).toContain("whole workspace");
  });

  // contract: events-122, events-123
  it("accepts 30 requests an hour and 500 a day", async () => {
    await enable();
    const ids = Array.from({ length: 32 }, (_, n) => `v${n}`);
    const seen = ids.map((id) => identified(id, -DAY_MS));
    await addEvents(local, seen);
    // A visitor for each hour. The visitors of earlier hours are being deleted.
    const many = async (count: number, visitor: string) => {
      for (let n = 0; n < count; n++)
        expect((await ask(visitor)).status, `request ${n}`).toBe(200);
    };
    const refused = async (words: string) => {
      const answer = await ask("v31");
      const code = codes("too_many_requests", "TooManyRequests");
      expect(answer.refusal).toEqual([429, code]);
      expect(answer.error.message).toContain(words);
      // A client that obeys `Retry-After` would wait for an hour.
      expect(answer.headers.has("retry-after")).toBe(false);
    };
    // Refused calls do not count.
    expect((await ask("nobody")).status).toBe(404);
    await many(30, "v31");
    await refused("30 visitors an hour");
    await advance("50m");
    await refused("30 visitors an hour");
    for (let hour = 1; hour < 16; hour++) {
      await advance("61m");
      await many(30, `v${hour}`);
    }
    await advance("61m");
    await many(20, "v16");
    await refused("500 visitors a day");
    await advance("24h");
    await many(1, "v17");
  });
});

describe("a deleted visitor", () => {
  const deleted = async (id: string) => {
    await enable();
    expect((await v4("DELETE", `/visitors/${id}`)).status).toBe(200);
    await advance("5m");
    expect((await v4("DELETE", `/visitors/${id}`)).status).toBe(404);
  };

  // contract: events-124
  it("gets a new ID, even with the old stored ID or the same device", async () => {
    const first = await visit(local);
    const { storage_id } = first;
    const again = await visit(local, { storage_id });
    expect(again.visitor_id).toBe(first.visitor_id);
    await deleted(first.visitor_id);
    const next = await visit(local, { storage_id });
    expect(next.visitor_id).not.toBe(first.visitor_id);
    expect(next.storage_id).not.toBe(storage_id);
    const last = await visit(local);
    expect(last.visitor_id).toBe(next.visitor_id);
    const { text } = await v4("GET", "/events");
    expect(text).not.toContain(first.visitor_id);
    const { events } = await searchPage(v4);
    const [newest] = events;
    expect(events.length).toBe(2);
    expect(newest?.velocity?.ip_events?.["24_hours"]).toBe(2);
    expect(newest?.identification?.first_seen_at).toBeGreaterThan(NOW_MS);
  });

  // contract: events-126
  it("is in no decision, delivery or relation", async () => {
    const receiver = await WebhookReceiver.forTest();
    await local.control("/us/webhooks", { url: receiver.url, verified: true });
    await visit(local);
    const { visitor_id } = await visit(local);
    const stranger = await visit(local, { signals: { oscpu: "x" } });
    const { visitor_id: other } = stranger;
    await receiver.get(3);
    const visitorIds = [visitor_id, other];
    await local.control("/us/related-visitors", { visitorIds });
    await deleted(visitor_id);
    const { body: decisions } = await local.controlCall("GET", "/us/decisions");
    expect(decisions).toHaveLength(1);
    const deliveries = await local.controlCall("GET", "/us/deliveries");
    expect(deliveries.body).toHaveLength(1);
    expect(deliveries.text).not.toContain(visitor_id);
    await local.set({ relatedVisitors: true });
    const related = await v3("GET", `/related-visitors?visitor_id=${other}`);
    expect(related.body).toEqual({ relatedVisitors: [] });
  });

  // contract: events-125
  it("keeps events from more than 10 days before", async () => {
    await enable();
    const [day13, day2] = await addEvents(local, [
      identified("v", 1 * DAY_MS),
      identified("v", 12 * DAY_MS),
    ]);
    if (!day13 || !day2) throw new Error("No events.");
    expect((await v4("DELETE", "/visitors/v")).status).toBe(200);
    await advance("1d");
    expect(await statusOf(day13)).toBe(404);
    expect(await statusOf(day2)).toBe(200);
    const { body } = await v3("GET", "/visitors/v");
    expect(body).toMatchObject({ visits: [{ requestId: day2.event_id }] });
  });

  // contract: events-126
  it("loses all events that arrived before the deletion ran", async () => {
    await enable();
    const [event] = await addEvents(local, [identified("v")]);
    if (!event) throw new Error("No event.");
    await v4("DELETE", "/visitors/v");
    const many = Array.from({ length: 30 }, () => identified("v"));
    await addEvents(local, many);
    await advance("5m");
    expect((await searchPage(v4, "visitor_id=v")).events).toEqual([]);
  });

  // contract: events-126
  it("is deleted in time even if the clock was moved back", async () => {
    await enable();
    const [event] = await addEvents(local, [identified("v")]);
    if (!event) throw new Error("No event.");
    await advance("9d");
    await v4("DELETE", "/visitors/v");
    await local.moveClock(NOW);
    expect(await statusOf(event)).toBe(200);
    await advance("5m");
    expect(await statusOf(event)).toBe(404);
  });

  // contract: events-126
  it("is deleted in time even if the machine's clock was set back", async () => {
    await enable();
    const [event] = await addEvents(local, [identified("v")]);
    if (!event) throw new Error("No event.");
    vi.setSystemTime(Date.now() + 9 * 86_400_000);
    await v4("DELETE", "/visitors/v");
    vi.useRealTimers();
    expect(await statusOf(event)).toBe(200);
    await advance("5m");
    expect(await statusOf(event)).toBe(404);
  });
});
