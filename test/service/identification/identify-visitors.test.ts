import type { Event } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import {
  CHROME,
  eventOf,
  identify,
  OTHER_DEVICE,
  PAGE,
  visit as visitTo,
  type Identification,
} from "./identify-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

const visit = (body?: Parameters<typeof identify>[1], call?: Identification) =>
  visitTo(local, body, call);

describe("a visitor", () => {
  // contract: events-118
  it("is recognised by the stored ID, even if everything else changed", async () => {
    const first = await visit();
    const again = await visit(
      { storage_id: first.storage_id, signals: OTHER_DEVICE },
      { headers: { "user-agent": "Mozilla/5.0 Firefox/133.0" } },
    );
    expect(again.visitor_id).toBe(first.visitor_id);
    expect(again.storage_id).toBe(first.storage_id);
    expect(again.event_id).not.toBe(first.event_id);
  });

  // contract: events-118
  it("is recognised by the device if nothing was stored, but not by another device", async () => {
    const first = await visit();
    expect(await visit()).toMatchObject({
      visitor_id: first.visitor_id,
      storage_id: first.storage_id,
    });
    const other = await visit({ signals: OTHER_DEVICE });
    expect(other.visitor_id).not.toBe(first.visitor_id);
    expect(other.storage_id).not.toBe(first.storage_id);
    const edge = { "user-agent": `${CHROME} Edg/131.0.0.0` };
    const { visitor_id } = await visit({}, { headers: edge });
    expect(visitor_id).not.toBe(first.visitor_id);
  });

  it("is recognised by the device that was used last", async () => {
    const first = await visit();
    const { storage_id } = first;
    await visit({ storage_id, signals: OTHER_DEVICE });
    const last = await visit({ signals: OTHER_DEVICE });
    expect(last.visitor_id).toBe(first.visitor_id);
  });

  it("is the last of the visitors who used the same device", async () => {
    const first = await visit();
    const other = await visit({ signals: OTHER_DEVICE });
    for (const { storage_id, visitor_id } of [other, first, other]) {
      await visit({ storage_id });
      expect((await visit()).visitor_id).toBe(visitor_id);
      await local.advance("1s");
    }
  });

  it.each<[string, object, string?]>([
    ["a browser update", {}, CHROME.replace("131", "132")],
    ["a change of the battery", { battery_level: 1, battery_charging: true }],
    ["a change to winter time", { timezone_offset: "60" }],
    ["a changed setting", { cookies_enabled: false, local_storage: false }],
  ])("stays the same through %s", async (_, changed, agent = CHROME) => {
    const first = await visit();
    // The signals have another order, too.
    const others = Object.fromEntries(Object.entries(PAGE.signals).reverse());
    const signals = { ...changed, ...others };
    const later = await visit(
      { signals },
      { headers: { "user-agent": agent } },
    );
    expect(later.visitor_id).toBe(first.visitor_id);
  });

  it("cannot choose the stored ID", async () => {
    const chosen = "chosen-by-somebody";
    const first = await visit({ storage_id: chosen });
    expect(first.storage_id).not.toBe(chosen);
    const other = await visit({ storage_id: chosen, signals: OTHER_DEVICE });
    expect(other.visitor_id).not.toBe(first.visitor_id);
  });

  it("without signals is recognised by address and user agent", async () => {
    const signals = {};
    const first = await visit({ signals });
    expect((await visit({ signals })).visitor_id).toBe(first.visitor_id);
    const agent = { headers: { "user-agent": "Mozilla/5.0 Other" } };
    const other = await visit({ signals }, agent);
    expect(other.visitor_id).not.toBe(first.visitor_id);
  });

  // contract: management-227
  it("is the same in every environment of the workspace, but not in another region", async () => {
    const first = await visit();
    const environment = await local.newEnvironment();
    const { token: key } = await local.newKey({ type: "public", environment });
    expect((await visit({}, { key })).visitor_id).toBe(first.visitor_id);
    const { storage_id } = first;
    const eu = await visit({ storage_id }, { region: "eu" });
    expect(eu.visitor_id).not.toBe(first.visitor_id);
  });

  it("has the times of the first and of the last visit", async () => {
    const { event: first } = await visit();
    await local.advance("2h");
    const { event: second } = await visit();
    await local.advance("3d");
    const { event: third } = await visit();
    const timesOf = ({ identification: of }: Event) => [
      ...[of?.visitor_found, of?.first_seen_at, of?.last_seen_at],
    ];
    const { timestamp } = first;
    expect(timesOf(first)).toEqual([false, timestamp, timestamp]);
    expect(timesOf(second)).toEqual([true, timestamp, timestamp]);
    expect(timesOf(third)).toEqual([true, timestamp, second.timestamp]);
  });
});

describe("the setting", () => {
  // contract: agent-34
  it("zeroTrust hides the visitor from the browser, but not from the event", async () => {
    await local.set({ zeroTrust: true });
    const answer = await identify(local);
    const members = ["event_id", "storage_id", "suspect_score"];
    expect(Object.keys(answer.body as object).sort()).toEqual(members);
    const { identification } = await eventOf(local, answer);
    expect(identification?.visitor_id).toMatch(/^\w{20}$/);
    expect(answer.text).not.toContain(identification?.visitor_id);
  });

  // contract: agent-34
  it("identification: false returns a dummy visitor, and stores no visitor", async () => {
    await local.set({ identification: false });
    const { visitor_id, storage_id, event } = await visit();
    expect(visitor_id).toBe("n/a");
    expect(await visit({ storage_id })).toMatchObject({ storage_id });
    expect(event).not.toHaveProperty("identification");
    expect(event.velocity).not.toHaveProperty("events");
    await local.set({ identification: true });
    const { event: later } = await visit();
    expect(later.identification?.visitor_found).toBe(false);
  });

  // contract: agent-35
  it("signals hides the score if no signal is active", async () => {
    await local.set({ signals: ["velocity"] });
    expect(await visit()).toHaveProperty("suspect_score", 0);
    await local.set({ signals: [] });
    expect(await visit()).not.toHaveProperty("suspect_score");
  });
});

// velocity.test.ts compares the counts with a count of all events.
it("the velocity signal counts up to 300 events, the newest first", async () => {
  const { identification } = (await visit()).event;
  const crowd = (timestamp: number) =>
    Array.from({ length: 400 }, () => ({ identification, timestamp }));
  const now = Date.now();
  for (const at of [now - 60_000, now - 7_200_000]) {
    await local.control("/us/events", crowd(at));
    const { velocity } = (await visit()).event;
    const counts = { "5_minutes": 300, "1_hour": 300, "24_hours": 300 };
    expect(velocity?.events).toEqual(counts);
  }
});
