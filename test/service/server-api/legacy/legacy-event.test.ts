import { LEGACY_PRODUCTS } from "../../../../service/src/server-api/version-3-until-2027-01-07/legacy-event";
import { describe, expect, it } from "vitest";
import { expectGolden } from "../../../helpers/golden.js";
import { FULL_EVENT, NOW, sendLegacy } from "./legacy-calls.js";
import { requestTests } from "../../request-tests.js";
import { localForTests } from "../../../helpers/local-for-tests.js";

const local = localForTests({ mutableAfterMs: 30_000 }, NOW);
const us = sendLegacy(local);

const add = (...events: object[]) => local.control("/us/events", events);
const PATH = `/events/${FULL_EVENT.event_id}`;

describe("an event in the form of version 3", () => {
  // contract: events-36, legacy-3, legacy-12, legacy-13, legacy-14, legacy-15
  it("has every product of the event, field by field", async () => {
    await add(FULL_EVENT);
    const { status, text, body } = await us("GET", PATH);
    expect(status).toBe(200);
    const pretty = `${JSON.stringify(body, undefined, 2)}\n`;
    expectGolden("legacy-event.json", pretty);
    const { products } = JSON.parse(text) as { products: object };
    const lacking = LEGACY_PRODUCTS.filter((name) => !(name in products));
    expect(lacking).toEqual([]);
  });

  it("leaves out inactive signals everywhere", async () => {
    await add(FULL_EVENT);
    const activate = (signals: unknown) => local.set({ signals });
    await activate(["bot", "tampering"]);
    const names = async () => {
      const { body } = await us("GET", PATH);
      const { products } = body as {
        products: { identification: { data: object } };
      };
      expect(products.identification.data).toHaveProperty("incognito", false);
      expect(products.identification.data).not.toHaveProperty("ipLocation");
      return Object.keys(products).sort();
    };
    const some = ["botd", "identification", "suspectScore", "tampering"];
    expect(await names()).toEqual(some);
    await activate([]);
    expect(await names()).toEqual(["identification"]);
    const { body } = await us("GET", "/visitors/visitor-1");
    expect(body).toMatchObject({ visits: [{ ip: "192.0.2.7" }] });
    expect(body).toMatchObject({ visits: [{ incognito: false }] });
    const found = await us("GET", "/events/search?limit=1&ip_blocklist=true");
    expect(found.body).toEqual({ events: [] });
  });

  it.each([
    ["bad", { bot: { result: "bad", type: "selenium" } }, "selenium"],
    ["good", { bot: { result: "good" } }, undefined],
    ["of_tomorrow", { bot: { result: "of_tomorrow" } }, undefined],
  ])("reports a bot that is %s", async (bot, expected, bot_type) => {
    await add({ event_id: "e", bot, bot_type });
    const { body } = await us("GET", "/events/e");
    expect(body).toMatchObject({ products: { botd: { data: expected } } });
  });

  it("has the place of the event's own address, also of an IPv6 address", async () => {
    const v6 = { address: "2001:db8::1", geolocation: { country_code: "SK" } };
    const v4 = { address: "192.0.2.7", geolocation: { country_code: "CZ" } };
    await add({ event_id: "e", ip_address: v6.address, ip_info: { v4, v6 } });
    const { body } = await us("GET", "/events/e");
    expect(body).toMatchObject({
      products: {
        identification: { data: { ipLocation: { country: { code: "SK" } } } },
      },
    });
  });
});

// contract: legacy-4, legacy-37
it("PUT /events/{request_id} changes only the given fields of the event, which version 4 shows, too", async () => {
  await add(FULL_EVENT);
  const put = (body: object) => us("PUT", PATH, { body });
  const answer = await put({ linkedId: "order-2", tag: { x_y: 1 } });
  expect([answer.status, answer.text]).toEqual([200, ""]);
  expect((await put({ suspect: true })).status).toBe(200);
  expect((await put({})).status).toBe(200);
  const { body } = await us("GET", PATH);
  const data = { linkedId: "order-2", tag: { x_y: 1 }, suspect: true };
  expect(body).toMatchObject({ products: { identification: { data } } });
  const found = await us("GET", "/events/search?limit=5&linked_id=order-2");
  expect(found.body).toMatchObject({ events: [body] });
  const old = await us("GET", "/events/search?limit=5&linked_id=order-1");
  expect(old.body).toEqual({ events: [] });
});

requestTests(
  local,
  `
an update is refused until the event is mutable, and again after 30 days
  control POST /us/events [{event_id: new, timestamp: 1780315200000}] = 201
  v3 PUT /events/new {suspect: true} = 409 StateNotReady
  clock 2026-06-01T12:00:30Z
  v3 PUT /events/new {suspect: true} = 200
  clock 2026-07-01T12:00:01Z
  v3 PUT /events/new {suspect: true} = 400 RequestCannotBeParsed {message: "~.*30 days"}
an update refuses wrong values
  control POST /us/events [{event_id: e, timestamp: 1780315000000, linked_id: a}] = 201
  v3 PUT /events/e {linkedId: x*257} = 400 RequestCannotBeParsed {message:
    linkedId can't be greater than 256 characters long}
  v3 PUT /events/e {linkedId: 5} = 400 RequestCannotBeParsed {message: ~invalid linkedId}
  v3 PUT /events/e {linkedId: null} = 400 {message: ~invalid linkedId}
  v3 PUT /events/e {tag: x} = 400 {message: ~invalid tag}
  v3 PUT /events/e {tag: {x: y*16400}} = 400 {message: ~invalid tag}
  v3 PUT /events/e {suspect: "yes"} = 400 {message: ~invalid suspect}
  v3 PUT /events/e [] = 400 {message: ~invalid body}
  v3 PUT /events/e = 400 {message: ~invalid body}
  v4 GET /events/e = 200 {linked_id: a, timestamp: 1780315000000}
`,
);
