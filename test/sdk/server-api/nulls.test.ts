import type { Event } from "@devid/sdk";
import { eventAsRuleRequest } from "@devid/rules/language";
import { EventRecord } from "@devid/sdk/wire/events";
import { measureImpact } from "@devid/review/replay";
import { ReadableStream } from "node:stream/web";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { all } from "../all";
import { answering } from "./secret-key-client";
import { Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

/** A valid value of a schema with every member, and none of them null. */
function sampleOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      return sampleOf(def.innerType);
    case "object":
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, member]) => [
          name,
          sampleOf(member),
        ]),
      );
    case "array":
      return [sampleOf(def.element)];
    case "record":
      return { a: { b: ["c", 1] } };
    case "union":
      return def.options[0] && sampleOf(def.options[0]);
    case "enum":
      return Object.values(def.entries)[0];
    case "string":
      return "text";
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      throw new Error(`No sample of ${def.type}.`);
  }
}

type Json = Record<string, unknown>;

/** Paths of all members and elements of a value, such as `ip_info.v4.subdivisions.0`. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    name,
    ...pathsIn(member).map((path) => `${name}.${path}`),
  ]);
}

function withNull(value: unknown, [name = "", ...rest]: string[]): unknown {
  const copy = (
    Array.isArray(value) ? value.slice() : { ...(value as Json) }
  ) as Json;
  copy[name] = rest.length === 0 ? null : withNull(copy[name], rest);
  return copy;
}

/** A time at which the local service still serves version 3. */
const NOW = Date.UTC(2026, 5, 1, 12);
const AT = NOW - 3_600_000;
const FULL = {
  ...(sampleOf(EventRecord) as Event),
  event_id: "e",
  timestamp: AT,
  url: "https://shop.example/x",
  origin: "https://shop.example",
  ip_address: "192.0.2.1",
  source: "device",
  signal_of_tomorrow: { deep: [1] },
};

/** Members that every event needs: its ID, and its time. */
const NEEDED = ["event_id", "timestamp"];
const PATHS = pathsIn(FULL).filter((path) => !NEEDED.includes(path));

/** The full event, once for each path, with null at the path. */
const EVENTS = PATHS.map((path, n) => ({
  ...(withNull(FULL, path.split(".")) as Event),
  event_id: `e${n}`,
}));
/** An event in which every other top member is null. */
const EMPTY = {
  ...Object.fromEntries(Object.keys(FULL).map((name) => [name, null])),
  event_id: "empty",
  timestamp: AT,
} as unknown as Event;

const RULES = {
  inForce: [],
  proposed: [
    {
      name: "shop",
      expression: `http.request.headers["Origin"][0] == "https://shop.example" and http.request.ip in cidr("192.0.2.0/24")`,
      action: "deny",
      status: "enabled",
    },
  ],
  start: AT,
  end: AT + 1,
} as const;

describe("a null in any place of a past event", () => {
  it("is tested in hundreds of places, also deep ones", () => {
    expect(PATHS.length).toBeGreaterThan(200);
    expect(PATHS).toContain("ip_info.v4.geolocation.subdivisions.0.iso_code");
    expect(PATHS).toContain("raw_device_attributes.languages.0.0");
    expect(PATHS).toContain("tags");
  });

  it("does not stop a read of all events", async () => {
    const events = [...EVENTS, EMPTY];
    const service = await answering([
      200,
      { events, pagination_key: null, total_hits: null },
    ]);
    const found = await all(service.client.events.searchAll());
    expect(found).toEqual(events);
  });

  it("can be read by ID, by page, and as a rule request", async () => {
    for (const event of [...EVENTS.filter((_, n) => n % 10 === 0), EMPTY]) {
      const service = await answering([200, event]);
      expect(await service.client.events.get(event.event_id)).toEqual(event);
    }
    for (const event of [...EVENTS, EMPTY]) {
      expect(EventRecord.parse(event)).toEqual(event);
      const request = eventAsRuleRequest(event);
      expect(JSON.stringify(request)).not.toContain("null");
    }
    expect(eventAsRuleRequest(EMPTY)).toEqual(eventAsRuleRequest({}));
  });

  it("is replayed like a missing value", async () => {
    const given = (events: readonly Event[]) => ReadableStream.from(events);
    const impact = await measureImpact(given([...EVENTS, EMPTY]), RULES);
    expect(impact.events).toBe(EVENTS.length + 1);
    const gone = EVENTS.map(
      (event) =>
        JSON.parse(
          JSON.stringify(event),
          (_, value: unknown) => value ?? undefined,
        ) as Event,
    );
    const { event_id, timestamp } = EMPTY;
    const without = await measureImpact(
      given([...gone, { event_id, timestamp }]),
      RULES,
    );
    expect(impact.total).toEqual(without.total);
    expect({ ...impact.newlyDenied, examples: [] }).toEqual({
      ...without.newlyDenied,
      examples: [],
    });
  });
});

const workspace = openForTests(new Workspace());

it("the local service with nulls stores and returns them, also in version 3", async () => {
  await workspace.moveClock(new Date(NOW).toISOString());
  await workspace.control("/us/events", [...EVENTS, EMPTY]);
  const { events } = workspace.client();
  const ids = [...EVENTS, EMPTY].map(({ event_id: id }) => id);
  const found = [
    ...(await all(events.searchAll())),
    ...(await all(events.searchAll({ source: ["edge"] }))),
  ].map(({ event_id: id }) => id);
  for (const id of ids.filter((_, n) => n % 8 === 0 || n === EVENTS.length)) {
    const { event_id } = await events.get(id);
    expect(event_id).toBe(id);
    const answer = await fetch(`${workspace.url}/us/events/${id}`, {
      headers: { "auth-api-key": "local-secret-us" },
    });
    expect(await answer.json()).toMatchObject({
      products: { identification: { data: { requestId: id } } },
    });
  }
  expect(found.length).toBeGreaterThanOrEqual(EVENTS.length - 1);
});
