import { describe, expect, it } from "vitest";
import {
  addEvents,
  idsOf,
  searchPage,
  sendEvents,
  type EventPart,
} from "./event-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW = "2026-06-01T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const DAY_MS = 86_400_000;

const local = localForTests({}, NOW);
const events = sendEvents(local);

/**
 * The events that a filter finds, and events that it does not find. events-property.test.ts
 * tries every filter; these are the forms of a value that need an example.
 */
const FILTERS: [string, EventPart[], EventPart[]][] = [
  // contract: events-63, events-87
  ["linked_id=a,b", [{ linked_id: "a,b" }], [{ linked_id: "a" }, {}]],
  [
    "ip_address=::ffff:192.0.2.7",
    [{ ip_address: "192.0.2.7" }],
    [{ ip_address: "::c000:207" }],
  ],
  // contract: events-64
  [
    "url=https://a.example/x?y%3D1%26z",
    [{ url: "https://a.example/x?y=1&z" }],
    [{ url: "https://a.example/x" }],
  ],
  // contract: events-67
  [
    "origin=https://a.example",
    [{ origin: "https://a.example" }, { url: "https://A.example:443/x" }],
    [{ origin: "https://b.example", url: "https://a.example/" }, {}],
  ],
  // contract: events-82, events-97
  [
    "environment=ae_1&environment=ae_2",
    [{ environment_id: "ae_1" }, { environment_id: "ae_2" }],
    [{ environment_id: "ae_3" }, {}],
  ],
  // contract: events-94
  [
    "start=2026-05-31T12:00:00%2B02:00",
    [{ timestamp: NOW_MS - 26 * 3_600_000 }, {}],
    [{ timestamp: NOW_MS - 26 * 3_600_000 - 1 }],
  ],
  // contract: events-78, events-87
  ["min_suspect_score=7", [{ suspect_score: 8 }], [{ suspect_score: 7 }, {}]],
];

describe("a filter of GET /events", () => {
  it.each(FILTERS)("%s", async (query, meant, others) => {
    const stored = await addEvents(local, [...meant, ...others]);
    const { events: found } = await searchPage(events, query);
    const wanted = idsOf(stored).slice(0, meant.length);
    expect(idsOf(found).sort()).toEqual(wanted.sort());
  });

  it("uses the values after an update", async () => {
    const [event] = await addEvents(local, [
      { timestamp: NOW_MS - 10_000, linked_id: "old", suspect: false },
    ]);
    const body = { linked_id: "new", suspect: true };
    await events("PATCH", `/events/${event?.event_id}`, { body });
    const count = async (query: string) =>
      (await searchPage(events, query)).events.length;
    expect(await count("linked_id=new&suspect=true")).toBe(1);
    expect(await count("linked_id=old")).toBe(0);
    expect(await count("suspect=false")).toBe(0);
  });
});

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
