import type { Event } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { identify } from "../identification/identify-calls.js";
import { addEvents, searchPage, sendEvents } from "./event-calls.js";
import { NOW, NOW_MS, sendLegacy } from "./legacy/legacy-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const DAY_MS = 24 * 60 * 60 * 1000;

const local = localForTests({}, NOW);
const v4 = sendEvents(local);
const v3 = sendLegacy(local);

const moveTo = (now: string) => local.moveClock(now);
const advance = (time: string) => local.advance(time);
const enable = () => local.set({ visitorDeletion: true });

const identified = (visitor_id: string, ageMs = 0) => ({
  timestamp: NOW_MS - ageMs,
  identification: { visitor_id, visitor_found: true },
});
const statusOf = async ({ event_id }: Event) =>
  (await v4("GET", `/events/${event_id}`)).status;

describe.each([
  ["version 4", () => v4],
  ["version 3", () => v3],
])("DELETE /visitors/{visitor_id} in %s", (version, send) => {
  const codes = (now: string, old: string) =>
    version === "version 4" ? now : old;
  const ask = (id: string) =>
    send()("DELETE", `/visitors/${id}`, { undocumented: id === "" });

  // contract: events-121
  it("is refused unless a control call enabled it", async () => {
    await addEvents(local, [identified("v")]);
    const { status, error } = await ask("v");
    const code = codes("feature_not_enabled", "FeatureNotEnabled");
    expect([status, error.code]).toEqual([403, code]);
    expect(error.message).toContain('{"visitorDeletion": true}');
    await advance("1d");
    expect((await searchPage(v4, "visitor_id=v")).events.length).toBe(1);
  });

  // contract: events-120, legacy-42
  it("returns 200 without a body, and deletes after 5 minutes", async () => {
    await enable();
    const [own, other] = await addEvents(local, [
      identified("v"),
      identified("w"),
    ]);
    if (!own || !other) throw new Error("No events.");
    const answer = await ask("v");
    expect([answer.status, answer.text]).toEqual([200, ""]);
    await advance("4m");
    expect(await statusOf(own)).toBe(200);
    await advance("61s");
    expect(await statusOf(own)).toBe(404);
    expect(await statusOf(other)).toBe(200);
    expect((await searchPage(v4, "visitor_id=v")).events).toEqual([]);
    expect((await v3("GET", "/visitors/v")).status).toBe(404);
    const again = await ask("v");
    const code = codes("visitor_not_found", "VisitorNotFound");
    expect(again.refusal).toEqual([404, code]);
  });

  // contract: events-127, events-128
  it("distinguishes an unknown visitor from an invalid visitor ID", async () => {
    await enable();
    await addEvents(local, [identified("v")], "eu");
    const invalid = codes("request_cannot_be_parsed", "RequestCannotBeParsed");
    for (const [id, status, code] of [
      ["v", 404, codes("visitor_not_found", "VisitorNotFound")],
      ...["a b", "x".repeat(65), "n%2Fa", ""].map(
        (id) => [id, 400, invalid] as const,
      ),
    ] as const) {
      const answer = await ask(encodeURI(id).replace("%252F", "%2F"));
      expect([id, answer.status, answer.error.code]).toEqual([
        id,
        status,
        code,
      ]);
    }
  });

  // contract: events-128
  it("accepts only a key of the whole workspace", async () => {
    await enable();
    await addEvents(local, [identified("v")]);
    const { environment } = local.service.workspaces.us;
    const { token } = await local.newKey({ environment });
    const scoped = version === "version 4" ? sendEvents : sendLegacy;
    const send = scoped(local, "us", token);
    const { status, error } = await send("DELETE", "/visitors/v");
    expect([status, error.code]).toEqual([
      403,
      codes("feature_not_enabled", "WorkspaceScopedSecretKeyRequired"),
    ]);
    expect(error.message).toContain("whole workspace");
  });

  // contract: events-122, events-123
  it("accepts 30 requests an hour and 500 a day", async () => {
    await enable();
    const ids = Array.from({ length: 32 }, (_, n) => `v${n}`);
    await addEvents(
      local,
      ids.map((id) => identified(id, -DAY_MS)),
    );
    // A visitor for each hour. The visitors of earlier hours are being deleted.
    const many = async (count: number, visitor: string) => {
      for (let n = 0; n < count; n++)
        expect((await ask(visitor)).status, `request ${n}`).toBe(200);
    };
    const refused = async (words: string) => {
      const { status, error, headers } = await ask("v31");
      const code = codes("too_many_requests", "TooManyRequests");
      expect([status, error.code]).toEqual([429, code]);
      expect(error.message).toContain(words);
      // A client that obeys `Retry-After` would wait for an hour.
      expect(headers.has("retry-after")).toBe(false);
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
    type Sent = { visitor_id: string; storage_id: string };
    const first = (await identify(local)).body as Sent;
    const { storage_id } = first;
    const again = (await identify(local, { storage_id })).body as Sent;
    expect(again.visitor_id).toBe(first.visitor_id);
    await deleted(first.visitor_id);
    const next = (await identify(local, { storage_id })).body as Sent;
    expect(next.visitor_id).not.toBe(first.visitor_id);
    expect(next.storage_id).not.toBe(storage_id);
    const last = (await identify(local)).body as Sent;
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
    await identify(local);
    const { body } = await identify(local);
    const { visitor_id } = body as { visitor_id: string };
    const { body: stranger } = await identify(local, {
      signals: { oscpu: "x" },
    });
    const { visitor_id: other } = stranger as { visitor_id: string };
    await receiver.get(3);
    const visitorIds = [visitor_id, other];
    await local.controlCall("POST", "/us/related-visitors", {
      body: { visitorIds },
    });
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
    await moveTo(NOW);
    expect(await statusOf(event)).toBe(200);
    await advance("5m");
    expect(await statusOf(event)).toBe(404);
  });
});
