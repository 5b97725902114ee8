import type { Event } from "@devid/sdk";
import { expect, it } from "vitest";
import {
  BROWSER,
  CHROME,
  eventOf,
  identify,
  OTHER_DEVICE,
  PAGE,
  visit as visitTo,
  type Identification,
} from "./identify-calls.js";
import { searchPage, sendEvents } from "../server-api/event-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

const EDGE = `${CHROME} Edg/131.0.0.0`;

/** Identifies a visitor, and returns both IDs and the stored ID. */
async function visit(
  body?: Parameters<typeof identify>[1],
  options?: Identification,
) {
  const { event, storage_id } = await visitTo(local, body, options);
  const { identification, supplementary_id_high_recall: recall } = event;
  return {
    storage_id,
    visitor: identification?.visitor_id,
    isKnown: identification?.visitor_found,
    recall: recall?.visitor_id,
    isRecalled: recall?.visitor_found,
  };
}

it("the High Recall ID is in the event of a browser, new with the visitor, and not in the agent's answer", async () => {
  const answer = await identify(local);
  const event = await eventOf(local, answer);
  const { visitor_id, ...rest } = event.supplementary_id_high_recall ?? {};
  expect(visitor_id).toMatch(/^\w{20}$/);
  expect(visitor_id).not.toBe(event.identification?.visitor_id);
  expect(rest).toEqual({
    visitor_found: false,
    first_seen_at: event.timestamp,
    last_seen_at: event.timestamp,
  });
  expect(answer.text).not.toContain(visitor_id);
});

it.each<[string, object]>([
  ["another screen", { screen_resolution: [800, 600], color_depth: 30 }],
  ["new fonts and a new driver", { fonts: [], canvas: { text: "x" } }],
  ["another language", { date_time_locale: "fr" }],
])(
  "the High Recall ID stays the same through %s, although a browser without storage is a new visitor",
  async (_, changed) => {
    const first = await visit();
    const later = await visit({ signals: { ...PAGE.signals, ...changed } });
    expect(later).toMatchObject({ isKnown: false, isRecalled: true });
    expect(later.visitor).not.toBe(first.visitor);
    expect(later.recall).toBe(first.recall);
  },
);

// contract: events-118
it("the High Recall ID follows the visitor through any change", async () => {
  const first = await visit();
  await local.advance("1h");
  const { storage_id } = first;
  const moved = await visit({ storage_id, signals: OTHER_DEVICE });
  expect(moved).toEqual({ ...first, isKnown: true, isRecalled: true });
  // From now on the other device is known, too.
  const signals = { ...OTHER_DEVICE, screen_resolution: [1, 1] };
  expect(await visit({ signals })).toMatchObject({
    isKnown: false,
    isRecalled: true,
    recall: first.recall,
  });
});

it("the High Recall ID differs for another browser, device, region or address", async () => {
  const first = await visit();
  const edge = await visit({}, { headers: { "user-agent": EDGE } });
  const device = await visit({ signals: OTHER_DEVICE });
  const eu = await visit({}, { region: "eu" });
  const at = async (ip: string, agent = CHROME) => {
    const { publicKey } = local.service.workspaces.us;
    const headers = { ...BROWSER, "user-agent": agent };
    const body = { publicKey, ip, headers };
    const answer = await local.controlCall("POST", "/identify/us", { body });
    return (await eventOf(local, answer)).supplementary_id_high_recall;
  };
  const here = await at("203.0.113.7");
  const updated = await at("203.0.113.7", CHROME.replace("131", "140"));
  expect(updated).toMatchObject({
    visitor_id: here?.visitor_id,
    visitor_found: true,
  });
  const there = await at("203.0.113.8");
  const all = [first, edge, device, eu].map(({ recall }) => recall);
  const ids = [...all, here?.visitor_id, there?.visitor_id];
  expect(new Set(ids).size).toBe(6);
});

it("the High Recall ID is not shared by browsers that send no lasting signal", async () => {
  const first = await visit({ signals: { canvas: { text: "a" } } });
  const other = await visit({ signals: { canvas: { text: "b" } } });
  expect(other.recall).not.toBe(first.recall);
  const again = await visit({ signals: { canvas: { text: "a" } } });
  expect(again.recall).toBe(first.recall);
});

it("the High Recall ID has the times of the first and the last visit of all its visitors", async () => {
  const events: Event[] = [];
  for (const fonts of [["a"], ["b"], ["a"]]) {
    const signals = { ...PAGE.signals, fonts };
    events.push((await visitTo(local, { signals })).event);
    await local.advance("1h");
  }
  const [first, second, third] = events;
  expect(third?.identification?.last_seen_at).toBe(first?.timestamp);
  expect(third?.supplementary_id_high_recall).toMatchObject({
    first_seen_at: first?.timestamp,
    last_seen_at: second?.timestamp,
  });
});

it("the High Recall ID is absent for an app, for an unknown visitor, and if identification is off", async () => {
  const event = async (body: Parameters<typeof identify>[1]) =>
    (await visitTo(local, body)).event;
  const app = await event({ sdk: { platform: "android", version: "2" } });
  expect(app).toHaveProperty("identification");
  expect(app).not.toHaveProperty("supplementary_id_high_recall");
  await local.set({ identification: false });
  expect(await event({})).not.toHaveProperty("supplementary_id_high_recall");
  await local.set({ identification: true });
  // The signals that were sent meanwhile are not stored.
  expect(await visit()).toMatchObject({ isRecalled: false });
});

it("the High Recall ID is deleted with its last visitor", async () => {
  await local.set({ visitorDeletion: true });
  const first = await visit();
  const other = await visit({ signals: { ...PAGE.signals, fonts: [] } });
  expect(other.recall).toBe(first.recall);
  const send = sendEvents(local);
  const forget = async (visitor: string | null | undefined) => {
    const id = visitor ?? "";
    expect((await send("DELETE", `/visitors/${id}`)).status).toBe(200);
    await local.advance("6m");
    const search = () => searchPage(send, `visitor_id=${id}`);
    await expect.poll(search).toMatchObject({ events: [] });
  };
  await forget(first.visitor);
  const back = await visit();
  expect(back).toMatchObject({ isKnown: false, recall: other.recall });
  await forget(back.visitor);
  await forget(other.visitor);
  const anew = await visit();
  expect(anew).toMatchObject({ isKnown: false, isRecalled: false });
  expect(anew.recall).not.toBe(first.recall);
});
