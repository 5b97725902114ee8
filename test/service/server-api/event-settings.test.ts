import type { Event } from "@devid/sdk";
import { EventRecord } from "@devid/sdk/wire/events";
import { describe, expect, it } from "vitest";
import { SIGNALS } from "../../../service/src/workspace/settings";
import { addEvents, searchPage, sendEvents } from "./event-calls.js";
import { FULL_EVENT, NOW, NOW_MS, sendLegacy } from "./legacy/legacy-calls.js";
import { requestTests } from "../request-tests.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const DAY_MS = 86_400_000;
const DEFAULTS = `{lookbackDays: 90, signals: all, zeroTrust: false, identification: true,
  sealed: false, visitorDeletion: false, relatedVisitors: false}`;

const local = localForTests({}, NOW);
const events = sendEvents(local);

const set = (settings: object) => local.set(settings);

requestTests(
  local,
  `
settings are changed one by one, for one workspace, and can be read
  control GET /us/settings = 200 ${DEFAULTS}
  control POST /us/settings {lookbackDays: 30, sealed: true} = 200
  control POST /us/settings {signals: [vpn], sealed: false} = 200 {lookbackDays: 30,
    signals: [vpn], zeroTrust: false, sealed: false}
  control GET /us/settings = 200 {lookbackDays: 30, signals: [vpn], zeroTrust: false,
    identification: true, sealed: false}
  control GET /eu/settings = 200 ${DEFAULTS}
wrong settings are refused
  control POST /us/settings {lookbackDays: 6} = 400 [lookbackDays]
  control POST /us/settings {lookbackDays: 91} = 400 [lookbackDays]
  control POST /us/settings {lookbackDays: 7.5} = 400 [lookbackDays]
  control POST /us/settings {signals: vpn} = 400 [signals]
  control POST /us/settings {signals: [vpn, smell]} = 400 [signals]
  control POST /us/settings {zeroTrust: "yes", lookback: 7} = 400 [lookback, zeroTrust]
  control GET /us/settings = 200 ${DEFAULTS}
`,
);

describe("a signal", () => {
  /** Members that are not signals: what was sent, by whom, and from where. */
  const PLAIN =
    "event_id timestamp source incremental_identification_status linked_id environment_id suspect sdk replayed triggered_by identification supplementary_id_high_recall tags url origin bundle_id package_name ip_address user_agent device os os_version client_referrer browser_details rule_action suspect_score";

  // contract: events-105
  it("has every member of an event that is not a plain member", () => {
    const members = Object.values<readonly string[]>(SIGNALS).flat();
    expect([...members, ...PLAIN.split(" ")].sort()).toEqual(
      Object.keys(EventRecord.shape).sort(),
    );
  });

  // contract: events-104
  it("is left out of every answer if it is not active", async () => {
    const given = { ...FULL_EVENT, timestamp: NOW_MS - 5_000 };
    const [whole] = await addEvents(local, [given]);
    const id = FULL_EVENT.event_id;
    const members = async () => {
      const got = (await events("GET", `/events/${id}`)).body as Event;
      const [found] = (await searchPage(events)).events;
      expect(found).toEqual(got);
      return got;
    };
    expect(await members()).toEqual(whole);

    await set({ signals: ["vpn"] });
    const { vpn, vpn_confidence, vpn_origin_timezone, ...rest } =
      await members();
    const found = [vpn, vpn_confidence, vpn_origin_timezone];
    expect(found).toEqual([true, "medium", "Europe/Berlin"]);
    const active = [...PLAIN.split(" "), ...SIGNALS.vpn];
    for (const name of Object.keys(rest)) expect(active).toContain(name);
    expect(rest).toMatchObject({ suspect_score: 8, linked_id: "order-1" });
    const { products } = (await sendLegacy(local)("GET", `/events/${id}`))
      .body as { products: object };
    const left = ["identification", "suspectScore", "vpn"];
    expect(Object.keys(products).sort()).toEqual(left);

    await set({ signals: [] });
    const plain = PLAIN.split(" ").filter((name) => name !== "suspect_score");
    for (const name of Object.keys(await members()))
      expect(plain).toContain(name);

    await set({ signals: "all" });
    expect(await members()).toEqual(whole);
  });

  it("is found by no filter if it is not active", async () => {
    const ip_info = { v4: { address: "192.0.2.1", asn: "64500" } };
    const signals = {
      vpn: true,
      bot: "not_detected",
      suspect_score: 9,
      ip_info,
    };
    await addEvents(local, [{ ...signals, linked_id: "a" }]);
    const filters = [
      ...["vpn=true", "vpn=false", "bot=none", "bot_info=none"],
      ...["min_suspect_score=1", "asn=64500", "linked_id=a"],
    ];
    const found = async () => {
      const counts = [];
      for (const filter of filters)
        counts.push((await searchPage(events, filter)).events.length);
      return counts;
    };
    expect(await found()).toEqual([1, 0, 1, 1, 1, 1, 1]);
    await set({ signals: ["vpn"] });
    expect(await found()).toEqual([1, 0, 0, 0, 1, 0, 1]);
    await set({ signals: [] });
    expect(await found()).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it("survives an update while it is not active", async () => {
    const [event] = await addEvents(local, [
      { timestamp: NOW_MS - 5_000, vpn: true },
    ]);
    await set({ signals: [] });
    const path = `/events/${event?.event_id}`;
    await events("PATCH", path, { body: { suspect: true } });
    await set({ signals: "all" });
    const { body } = await events("GET", path);
    expect(body).toMatchObject({ vpn: true, suspect: true });
  });
});

// contract: limits-3
it("the lookback of a search is 90 days by default", async () => {
  const start = (days: number) =>
    events("GET", `/events?start=${NOW_MS - days * DAY_MS + 60_000}`);
  await addEvents(local, [{ timestamp: NOW_MS - 80 * DAY_MS }]);
  expect((await start(90)).status).toBe(200);
  expect((await start(91)).status).toBe(400);
  await set({ lookbackDays: 7 });
  expect((await start(7)).status).toBe(200);
  const answer = await start(8);
  expect(answer.refusal).toEqual([400, "request_cannot_be_parsed"]);
  expect(answer.error.message).toMatch(/^invalid start time: .*7 days/);
  expect((await events("GET", "/events")).status).toBe(200);
});
