import type { Event } from "@devid/sdk";
import type { IdentificationAnswer } from "../../../service/src/agent/identification-wire";
import { describe, expect, it } from "vitest";
import {
  CHROME,
  eventOf,
  identify,
  PAGE,
  type Identification,
} from "./identify-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

const OTHER_DEVICE = { hardware_concurrency: 2, platform: "MacIntel" };

async function visit(
  body: Parameters<typeof identify>[1] = {},
  options?: Identification,
): Promise<Required<IdentificationAnswer>> {
  const answer = await identify(local, body, options);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Required<IdentificationAnswer>;
}

const advance = (by: string) => local.advance(by);

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
    expect((await visit({ signals: OTHER_DEVICE })).visitor_id).toBe(
      first.visitor_id,
    );
  });

  it("is the last of the visitors who used the same device", async () => {
    const first = await visit();
    const other = await visit({ signals: OTHER_DEVICE });
    for (const { storage_id, visitor_id } of [other, first, other]) {
      await visit({ storage_id });
      expect((await visit()).visitor_id).toBe(visitor_id);
      await advance("1s");
    }
  });

  it.each([
    ["a browser update", {}, CHROME.replace("131", "132")],
    [
      "a change of the battery",
      { battery_level: 12, battery_charging: true },
      CHROME,
    ],
    ["a change to winter time", { timezone_offset: "60" }, CHROME],
    [
      "a changed setting",
      { cookies_enabled: false, local_storage: false },
      CHROME,
    ],
  ])("stays the same through %s", async (_, signals, agent) => {
    const first = await visit();
    const later = await visit(
      // The signals have another order, too.
      {
        signals: {
          ...signals,
          ...Object.fromEntries(Object.entries(PAGE.signals).reverse()),
        },
      },
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
    const times: (Event["identification"] & object)[] = [];
    const stamps: number[] = [];
    for (const pause of ["0s", "2h", "3d"]) {
      await advance(pause);
      const event = await eventOf(local, await identify(local));
      if (event.identification) times.push(event.identification);
      stamps.push(event.timestamp);
    }
    expect(times).toMatchObject([
      {
        visitor_found: false,
        first_seen_at: stamps[0],
        last_seen_at: stamps[0],
      },
      {
        visitor_found: true,
        first_seen_at: stamps[0],
        last_seen_at: stamps[0],
      },
      {
        visitor_found: true,
        first_seen_at: stamps[0],
        last_seen_at: stamps[1],
      },
    ]);
  });
});

describe("the setting", () => {
  const set = (body: object) => local.set(body);

  // contract: agent-34
  it("zeroTrust hides the visitor from the browser, but not from the event", async () => {
    await set({ zeroTrust: true });
    const answer = await identify(local);
    expect(Object.keys(answer.body as object).sort()).toEqual([
      "event_id",
      "storage_id",
      "suspect_score",
    ]);
    const { identification } = await eventOf(local, answer);
    expect(identification?.visitor_id).toMatch(/^\w{20}$/);
    expect(answer.text).not.toContain(identification?.visitor_id);
  });

  // contract: agent-34
  it("identification: false returns a dummy visitor, and stores no visitor", async () => {
    await set({ identification: false });
    const answer = await identify(local);
    const { visitor_id, storage_id } = answer.body as IdentificationAnswer;
    expect(visitor_id).toBe("n/a");
    expect(await visit({ storage_id })).toMatchObject({ storage_id });
    const event = await eventOf(local, answer);
    expect(event).not.toHaveProperty("identification");
    expect(event.velocity).not.toHaveProperty("events");
    await set({ identification: true });
    const later = await eventOf(local, await identify(local));
    expect(later.identification?.visitor_found).toBe(false);
  });

  // contract: agent-35
  it("signals hides the score if no signal is active", async () => {
    await set({ signals: ["velocity"] });
    expect(await visit()).toHaveProperty("suspect_score", 0);
    await set({ signals: [] });
    expect(await visit()).not.toHaveProperty("suspect_score");
  });
});

describe("the velocity signal", () => {
  const velocity = async (
    body: Parameters<typeof identify>[1] = {},
    options?: Identification,
  ) => (await eventOf(local, await identify(local, body, options))).velocity;
  const count = (five: number, hour: number, day: number) => ({
    "5_minutes": five,
    "1_hour": hour,
    "24_hours": day,
  });

  it("counts old events that are stored after many others", async () => {
    const { identification } = await eventOf(local, await identify(local));
    const others = Array.from({ length: 9_000 }, () => ({}));
    for (let n = 0; n < 2; n++) await local.control("/us/events", others);
    const now = Date.now();
    await local.control("/us/events", [
      { identification, timestamp: now - 600_000 },
    ]);
    expect((await velocity())?.events).toEqual(count(2, 3, 3));
  });

  it("counts up to 300 events, the newest first", async () => {
    const { identification } = await eventOf(local, await identify(local));
    const crowd = (timestamp: number) =>
      Array.from({ length: 400 }, () => ({ identification, timestamp }));
    const now = Date.now();
    await local.control("/us/events", crowd(now - 60_000));
    expect((await velocity())?.events).toEqual(count(300, 300, 300));
    await local.control("/us/events", crowd(now - 7_200_000));
    expect((await velocity())?.events).toEqual(count(300, 300, 300));
  });
});
