import { expect, it } from "vitest";
import { VERSION_3_DAY } from "../../helpers/version-3-day.js";
import { sendLegacy } from "../server-api/legacy/legacy-calls.js";
import { eventOf, OTHER_DEVICE, visit } from "./identify-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests({}, VERSION_3_DAY);

it.each([
  ["a new visitor", undefined, {}, 0.5],
  ["stored ID and device", "kept", {}, 1],
  ["stored ID only", "kept", { signals: OTHER_DEVICE }, 0.5],
  ["device only", "cleared", {}, 0.5],
  ["headers only", undefined, { signals: {} }, 0.25],
] as const)(
  "the confidence of a visit depends on the evidence: %s",
  async (_, kept, body, score) => {
    const storage_id = kept && (await visit(local)).storage_id;
    const storage = kept === "kept" ? { storage_id } : {};
    const { event } = await visit(local, { ...body, ...storage });
    const confidence = { score, version: "local" };
    expect(event.identification?.confidence).toEqual(confidence);
  },
);

it.each([
  ["192.0.2.7", "Chicago", "US"],
  ["198.51.100.255", "Frankfurt am Main", "DE"],
  ["203.0.113.0", "Singapore", "SG"],
  ["2001:db8:1::7", "London", "GB"],
  ["203.0.114.0", undefined, undefined],
  ["2001:db9::1", undefined, undefined],
  ["127.0.0.1", undefined, undefined],
])(
  "the place of %s is the same in both versions",
  async (ip, city, country) => {
    const url = "https://shop.example/";
    const sent = { publicKey: "local-public-us", ip, url };
    const made = await local.controlCall("POST", "/identify/us", {
      body: sent,
    });
    const event = await eventOf(local, made);
    const info = event.ip_info?.v4 ?? event.ip_info?.v6;
    expect([info?.address, info?.geolocation?.city_name]).toEqual([ip, city]);
    const path = `/events/${event.event_id}`;
    const { body } = await sendLegacy(local)("GET", path);
    const place = "products.identification.data.ipLocation.country.code";
    if (country) expect(body).toHaveProperty(place, country);
    else expect(body).not.toHaveProperty(place);
  },
);
