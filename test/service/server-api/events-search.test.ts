import { describe, expect, it } from "vitest";
import {
  addEvents,
  idsOf,
  searchPage,
  sendEvents,
  type EventPart,
} from "./event-calls.js";
import { requestTests } from "../request-tests.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW = "2026-06-01T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const local = localForTests({}, NOW);
const events = sendEvents(local);

// events-property.test.ts tries every filter. These are the forms of a value that need an example.
requestTests(
  local,
  `
// contract: events-63, events-87
a filter by a linked ID takes a comma as a part of it
  control POST /us/events [{event_id: a, linked_id: "a,b"}, {linked_id: a}, {}] = 201
  v4 GET /events?linked_id=a,b = 200 {events: [{event_id: a}]}
a filter by an address of IPv4 takes it in the form of IPv6
  control POST /us/events [{event_id: a, ip_address: 192.0.2.7}, {ip_address: "::c000:207"}]
    = 201
  v4 GET /events?ip_address=::ffff:192.0.2.7 = 200 {events: [{event_id: a}]}
// contract: events-64
a filter by a url takes its query, escaped
  control POST /us/events [{event_id: a, url: "https://a.example/x?y=1&z"}, {url:
    https://a.example/x}] = 201
  v4 GET /events?url=https://a.example/x?y%3D1%26z = 200 {events: [{event_id: a}]}
// contract: events-67
a filter by an origin finds an event's own, or else that of its url
  control POST /us/events [{event_id: a, origin: https://a.example}, {event_id: b, url:
    "https://A.example:443/x"}, {origin: https://b.example, url: https://a.example/}, {}] = 201
  v4 GET /events?origin=https://a.example&total_hits=9 = 200 {events: [{event_id: b},
    {event_id: a}], total_hits: 2}
// contract: events-82, events-97
a filter by two environments finds the events of both
  control POST /us/events [{event_id: a, environment_id: ae_1}, {event_id: b,
    environment_id: ae_2}, {environment_id: ae_3}, {}] = 201
  v4 GET /events?environment=ae_1&environment=ae_2 = 200 {events: [{event_id: b}, {event_id:
    a}]}
// contract: events-94
a start may have an offset, and is a part of the range
  control POST /us/events [{event_id: a, timestamp: ${NOW_MS - 26 * HOUR_MS}}, {timestamp:
    ${NOW_MS - 26 * HOUR_MS - 1}}] = 201
  v4 GET /events?start=2026-05-31T12:00:00%2B02:00 = 200 {events: [{event_id: a}]}
// contract: events-78, events-87
a filter by a suspect score finds higher scores
  control POST /us/events [{event_id: a, suspect_score: 8}, {suspect_score: 7}, {}] = 201
  v4 GET /events?min_suspect_score=7 = 200 {events: [{event_id: a}]}
a filter uses the values after an update
  control POST /us/events [{event_id: a, timestamp: ${NOW_MS - 10_000}, linked_id: old,
    suspect: false}] = 201
  v4 PATCH /events/a {linked_id: new, suspect: true} = 200
  v4 GET /events?linked_id=new&suspect=true = 200 {events: [{event_id: a}]}
  v4 GET /events?linked_id=old = 200 {events: []}
  v4 GET /events?suspect=false = 200 {events: []}
`,
);

describe("the window of a search", () => {
  // contract: events-68, events-69
  it("is the last 7 days by default, each end separately", async () => {
    const ages = [0, 1, 7 * DAY_MS, 7 * DAY_MS + 60_000, 20 * DAY_MS, -DAY_MS];
    const given = ages.map((age) => ({ timestamp: NOW_MS - age }));
    const stored = await addEvents(local, given);
    const found = async (query: string) => {
      const ids = idsOf((await searchPage(events, query)).events);
      return idsOf(stored).flatMap((id, n) => (ids.includes(id) ? [n] : []));
    };
    // The clock moves on, so the event of exactly 7 days ago may be outside by now.
    expect(await found("")).toEqual(expect.arrayContaining([0, 1]));
    expect(await found("")).not.toEqual(expect.arrayContaining([3]));
    const day = (days: number) => NOW_MS + days * DAY_MS;
    expect(await found(`start=${day(-30)}`)).toEqual([0, 1, 2, 3, 4]);
    const later = await found(`end=${day(2)}`);
    expect(later).toEqual(expect.arrayContaining([0, 1, 5]));
    // The default start does not depend on the end, so this range is empty.
    expect(await found(`end=${day(-10)}`)).toEqual([]);
    expect(await found(`start=${day(-20)}&end=${day(-10)}`)).toEqual([4]);
  });

  // contract: events-68, events-69
  it("accepts times of RFC 3339 in every form, and int64", async () => {
    await addEvents(local, [{ timestamp: NOW_MS - 1_000 }]);
    for (const [start, hits] of [
      ["2026-06-01T11:59:59Z", 1],
      ["2026-06-01T11:59:59.001Z", 0],
      ["2026-06-01t11:59:59.000000z", 1],
      ["2026-06-01T09:59:59-02:00", 1],
      [String(NOW_MS - 1_000), 1],
      ["9223372036854775807", 0],
    ] as const) {
      const query = new URLSearchParams({ start });
      const { events: found } = await searchPage(events, query);
      expect(found, start).toHaveLength(hits);
    }
    const end = "-9223372036854775808";
    expect((await searchPage(events, `end=${end}`)).events).toEqual([]);
  });
});

// contract: events-1, events-52, events-53, events-70, events-93, limits-1
it("the order and size of a page is the newest 10 events by default, or the oldest N", async () => {
  const stored = await addEvents(
    local,
    Array.from({ length: 25 }, (_, n) => ({ timestamp: NOW_MS - n * 1_000 })),
  );
  const found = async (query: string) =>
    idsOf((await searchPage(events, query)).events);
  const ids = idsOf(stored);
  expect(await found("")).toEqual(ids.slice(0, 10));
  expect(await found("reverse=false&limit=3")).toEqual(ids.slice(0, 3));
  const oldest = ids.slice(-3).reverse();
  expect(await found("reverse=true&limit=3")).toEqual(oldest);
  expect(await found("limit=100")).toEqual(ids);
});

// contract: events-86, events-101
it("total_hits counts the matches on all pages up to the given number", async () => {
  await addEvents(local, Array<EventPart>(30).fill({}));
  const hits = async (query: string) =>
    (await searchPage(events, query)).total_hits;
  expect(await hits("")).toBeUndefined();
  expect(await hits("total_hits=1000&limit=1")).toBe(30);
  expect(await hits("total_hits=7")).toBe(7);
});
