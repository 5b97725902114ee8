import { LEGACY_PRODUCTS } from "../../../../service/src/server-api/version-3-until-2027-01-07/legacy-event";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { WebhookReceiver } from "../../../helpers/webhook-receiver.js";
import { CourierBench } from "../../webhooks/courier-bench.js";
import { FULL_EVENT, NOW, sendLegacy } from "./legacy-calls.js";
import { EventSchema, VisitSchema, WebhookSchema } from "./legacy-schema.js";
import { localForTests } from "../../../helpers/local-for-tests.js";

const local = localForTests({}, NOW);
const us = sendLegacy(local);

const add = (events: readonly object[]) => local.control("/us/events", events);

/** Fails with the place of each missing or wrong member. */
function conform(schema: z.ZodType, value: unknown): void {
  const { error } = schema.safeParse(value);
  if (error)
    throw new Error(`${z.prettifyError(error)}\n${JSON.stringify(value)}`);
}

/** Members that every event has, and members with free content. */
const KEPT = ["event_id", "timestamp", "tags", "raw_device_attributes"];

/** Copies of the value, each with one member null or missing, at every level. */
function* lackingOne(value: unknown): Generator<unknown, void, undefined> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    yield [null, ...(value as unknown[])];
    for (const [index, item] of value.entries())
      for (const less of lackingOne(item)) yield value.with(index, less);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (KEPT.includes(name)) continue;
    yield { ...value, [name]: null };
    for (const less of lackingOne(member)) yield { ...value, [name]: less };
  }
}

/** Events that each lack one member, each with its own ID. */
function partialEvents(): object[] {
  const events = [
    ...lackingOne(FULL_EVENT),
    ...Object.entries(FULL_EVENT)
      .filter(([name]) => !["event_id", "timestamp"].includes(name))
      .map(([name, member]) => ({ [name]: member })),
    ...["proxy", "tampering", "vpn", "virtual_machine"].flatMap((name) => [
      { [name]: true },
      { [name]: false },
    ]),
    ...[
      { v4: { address: null }, v6: { address: null, geolocation: null } },
      {
        v4: { address: "192.0.2.1", geolocation: { country_name: "Germany" } },
      },
      { v4: { address: "192.0.2.1", asn: "" } },
    ].map((ip_info) => ({ ip_info })),
    { proxy: true, proxy_details: { proxy_type: null } },
    { proximity: { id: null, precision_radius: null, confidence: null } },
    { velocity: {} },
    { ip_blocklist: {} },
    {},
  ];
  return events.map((event, n) => ({
    ...(event as object),
    event_id: `e-${n}`,
  }));
}

describe("every field that the published schema of version 3 requires", () => {
  // contract: legacy-18, legacy-19, legacy-21, legacy-22, legacy-23, legacy-24
  // contract: legacy-25, legacy-26, legacy-27, legacy-28, legacy-29, legacy-30
  // contract: legacy-31, legacy-32, legacy-33, legacy-34
  it("is in every event, even if the stored event lacks it", async () => {
    const events = partialEvents();
    expect(events.length).toBeGreaterThan(150);
    await add([FULL_EVENT, ...events]);
    const { text } = await us("GET", "/events/search?limit=500");
    const found = (JSON.parse(text) as { events: object[] }).events;
    expect(found.length).toBe(events.length + 1);
    for (const event of found) conform(EventSchema, event);
    const got = await us("GET", `/events/${FULL_EVENT.event_id}`);
    conform(EventSchema, got.body);
    const { products } = got.body as { products: object };
    expect(Object.keys(products).sort()).toEqual([...LEGACY_PRODUCTS].sort());
  });

  // contract: legacy-20, legacy-21
  it("is in every visit", async () => {
    const visitor = { visitor_id: "visitor-1", visitor_found: false };
    const events = partialEvents().map((event) => ({
      ...event,
      identification: visitor,
    }));
    await add(events);
    const { text } = await us("GET", "/visitors/visitor-1?limit=500");
    const { visits } = JSON.parse(text) as { visits: object[] };
    expect(visits.length).toBe(events.length);
    for (const visit of visits) conform(VisitSchema, visit);
  });

  // contract: legacy-35
  it("is in every legacy webhook", async () => {
    const bench = CourierBench.forTest().start();
    const receiver = await WebhookReceiver.forTest();
    bench.webhook(receiver.url, { legacy: true });
    const { event_id, timestamp, ...rest } = FULL_EVENT;
    bench.visit({ event_id, timestamp, ...rest });
    bench.visit({ event_id: "bare", timestamp });
    bench.visit({ event_id: "null", timestamp, ip_info: null, sdk: null });
    const got = await receiver.get(3);
    for (const { body } of got)
      conform(WebhookSchema, JSON.parse(String(body)));
  });
});

describe("the documented default", () => {
  const dataOf = async (event: object): Promise<Record<string, unknown>> => {
    await add([{ event_id: "e", ...event }]);
    const { body } = await us("GET", "/events/e");
    type Products = Record<string, { data: unknown }>;
    const { products } = body as { products: Products };
    return Object.fromEntries(
      Object.entries(products).map(([name, { data }]) => [name, data]),
    );
  };

  // contract: legacy-16, legacy-17
  it("of mobile signals is that nothing was found", async () => {
    const { identification: _, ...products } = await dataOf({});
    const signals =
      "rootApps emulator clonedApp jailbroken frida locationSpoofing mitmAttack remoteControl";
    expect(products).toEqual({
      ...Object.fromEntries(
        signals.split(" ").map((name) => [name, { result: false }]),
      ),
      factoryReset: { time: "1970-01-01T00:00:00.000Z", timestamp: 0 },
    });
  });

  // contract: legacy-36
  it("of a confidence is high if nothing was found", async () => {
    expect(await dataOf({ proxy: false, tampering: false })).toMatchObject({
      proxy: { confidence: "high" },
      tampering: { confidence: "high" },
    });
  });

  // contract: legacy-25
  it("of an unknown country is unknown", async () => {
    expect(await dataOf({ vpn: true, vpn_origin_country: null })).toMatchObject(
      { vpn: { originCountry: "unknown" } },
    );
  });

  it("is left out for an inactive signal", async () => {
    const signals = ["emulator", "bot"];
    await local.set({ signals });
    const { identification: _, ...products } = await dataOf({});
    expect(products).toEqual({ emulator: { result: false } });
  });
});
