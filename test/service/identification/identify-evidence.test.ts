import type { Event } from "@devid/sdk";
import type { IdentificationAnswer } from "../../../service/src/agent/identification-wire";
import { expect, it } from "vitest";
import { VERSION_3_DAY } from "../../helpers/version-3-day.js";
import { sender } from "../sender.js";
import { eventOf, identify } from "./identify-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests({}, VERSION_3_DAY);

const OTHER_DEVICE = { hardware_concurrency: 2, platform: "MacIntel" };

it.each([
  ["a new visitor", undefined, {}, 0.5],
  ["stored ID and device", "kept", {}, 1],
  ["stored ID only", "kept", { signals: OTHER_DEVICE }, 0.5],
  ["device only", "cleared", {}, 0.5],
  ["headers only", undefined, { signals: {} }, 0.25],
] as const)(
  "the confidence of a visit depends on the evidence: %s",
  async (_, kept, body, score) => {
    let storage = {};
    if (kept !== undefined) {
      const { storage_id } = (await identify(local))
        .body as Required<IdentificationAnswer>;
      if (kept === "kept") storage = { storage_id };
    }
    const event = await eventOf(
      local,
      await identify(local, { ...body, ...storage }),
    );
    expect(event.identification?.confidence).toEqual({
      score,
      version: "local",
    });
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
    const made = await local.controlCall("POST", "/identify/us", {
      body: { publicKey: "local-public-us", ip, url: "https://shop.example/" },
    });
    const event: Event = await eventOf(local, made);
    const info = event.ip_info?.v4 ?? event.ip_info?.v6;
    expect([info?.address, info?.geolocation?.city_name]).toEqual([ip, city]);
    const legacy = sender(`${local.service.url}/us`, {
      "auth-api-key": "local-secret-us",
    });
    const { body } = await legacy("GET", `/events/${event.event_id}`);
    const { products } = body as {
      products: {
        identification: { data: { ipLocation?: { country?: object } } };
      };
    };
    const { ipLocation } = products.identification.data;
    expect(ipLocation?.country).toEqual(
      country && expect.objectContaining({ code: country }),
    );
  },
);
