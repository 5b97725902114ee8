import { describe, expect, it } from "vitest";
import { NOW, NOW_MS, sendLegacy } from "./legacy-calls.js";
import { requestTests } from "../../request-tests.js";
import { localForTests } from "../../../helpers/local-for-tests.js";

const local = localForTests({}, NOW);
const us = sendLegacy(local);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const identified = (visitor_id: string) => ({
  identification: { visitor_id, visitor_found: true },
});

const add = async (...events: object[]) => {
  const body = events.map((event, i) => ({
    event_id: `e${i}`,
    timestamp: NOW_MS - (i + 1) * HOUR,
    ...event,
  }));
  await local.control("/us/events", body);
};

interface Page {
  events: { products: { identification: { data: { requestId: string } } } }[];
  paginationKey?: string;
}

const search = async (query: string) => {
  const answer = await us("GET", `/events/search?${query}`);
  expect(answer.status, query).toBe(200);
  const { events, paginationKey } = answer.body as Page;
  const ids = events.map(
    ({ products }) => products.identification.data.requestId,
  );
  return { ids, paginationKey };
};

describe("GET /events/search", () => {
  // contract: legacy-40
  it.each<[string, string[]]>([
    ["", ["e0", "e1", "e2"]],
    ["&reverse=true", ["e2", "e1", "e0"]],
    ["&visitor_id=v1&reverse=true&bot=bad", ["e2"]],
    [`&end=${new Date(NOW_MS - 2 * HOUR).toISOString()}`, ["e1", "e2"]],
    ["&ip_blocklist=true", ["e0"]],
    ["&ip_blocklist=false", ["e1"]],
    ["&datacenter=true", ["e1"]],
    ["&datacenter=false", ["e0"]],
    // contract: legacy-40
    ["&proximity_precision_radius=25", ["e2"]],
    ["&proximity_precision_radius=10", []],
    ["&ip_blocklist=true&datacenter=false&visitor_id=v1", ["e0"]],
    ["&ii=fingerprint-pro-server-node-sdk/1", ["e0", "e1", "e2"]],
  ])("finds the right events with %j", async (query, ids) => {
    await add(
      {
        ...identified("v1"),
        bot: "not_detected",
        ip_blocklist: { email_spam: true },
        ip_info: { v6: { address: "2001:db8::1", datacenter_result: false } },
      },
      {
        ...identified("v2"),
        bot: "good",
        ip_blocklist: { email_spam: false, attack_source: false },
        ip_info: {
          v4: { address: "192.0.2.200", datacenter_result: true },
          v6: { address: "2001:db8::1", datacenter_result: false },
        },
      },
      {
        ...identified("v1"),
        bot: "bad",
        proximity: { id: "p", precision_radius: 25, confidence: 1 },
        ip_blocklist: { tor_node: true },
      },
      { timestamp: NOW_MS - 8 * DAY, ...identified("v1") },
    );
    expect((await search(`limit=10${query}`)).ids).toEqual(ids);
  });

  // contract: legacy-5, legacy-38
  it("pages through all events while new events arrive and the clock moves", async () => {
    await add(...Array.from({ length: 7 }, () => identified("v1")));
    const seen: string[] = [];
    let key = "";
    do {
      const next = key && `&pagination_key=${key}`;
      const page = await search(`limit=3&visitor_id=v1${next}`);
      seen.push(...page.ids);
      key = page.paginationKey ?? "";
      await add({ event_id: `n${seen.length}`, ...identified("v1") });
      await local.advance("1h");
    } while (key);
    expect(seen).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6"]);
  });

  it("returns at most 500 events with any limit", async () => {
    await add(
      ...Array.from({ length: 501 }, () => ({ timestamp: NOW_MS - 1 })),
    );
    const { ids, paginationKey } = await search("limit=100000");
    expect(ids).toHaveLength(500);
    const rest = await search(`limit=1&pagination_key=${paginationKey}`);
    expect(rest.ids).toHaveLength(1);
    expect(new Set([...ids, ...rest.ids]).size).toBe(501);
  });

  it("refuses a key that was changed or belongs to another search", async () => {
    await add({}, {}, {});
    const { paginationKey: key = "" } = await search("limit=1");
    const changed = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
    for (const query of [
      `pagination_key=${key}&visitor_id=v1`,
      `pagination_key=${changed}`,
      "pagination_key=1.2.3.4.5.x",
    ]) {
      const answer = await us("GET", `/events/search?limit=1&${query}`);
      expect(answer.refusal).toEqual([400, "RequestCannotBeParsed"]);
      expect(answer.error.message).toBe("invalid pagination key");
    }
  });
});

requestTests(
  local,
  `
// contract: legacy-38
a wrong search is refused
  v3 GET /events/search? = 400 RequestCannotBeParsed {message: "invalid limit: limit is
    required"}
  v3 GET /events/search?limit=0 = 400 RequestCannotBeParsed {message: ~invalid limit}
  v3 GET /events/search?limit=1&bot=ugly = 400 {message: ~invalid bot type}
  v3 GET /events/search?limit=1&ip_address=300.1.1.1 = 400 {message: ~invalid ip address}
  v3 GET /events/search?limit=1&proximity_precision_radius=0 = 400 {message:
    ~.*proximity_precision_radius}
  v3 GET /events/search?limit=1&colour=red = 400 {message: ~.*colour is not known}
  v3 GET /events/search?limit=1&total_hits=5 = 400 {message: ~.*total_hits is not known}
  v3 GET /events/search?limit=1&environment[]=x = 400 {message:
    "~.*environment.. is not known"}
`,
);

describe("GET /visitors/{visitor_id}", () => {
  interface Visits {
    visitorId: string;
    visits: { requestId: string; linkedId?: string }[];
    paginationKey?: string;
    lastTimestamp?: number;
  }
  const visits = async (query = "") => {
    const answer = await us("GET", `/visitors/v1${query}`);
    expect(answer.status, query).toBe(200);
    const { visits: list, ...rest } = answer.body as Visits;
    return { ids: list.map(({ requestId }) => requestId), ...rest };
  };

  // contract: legacy-6, legacy-39
  it("lists the visits of a visitor, without nesting, of all times", async () => {
    await add(
      { ...identified("v1"), linked_id: "l", url: "https://shop.example/" },
      identified("v2"),
      { ...identified("v1"), timestamp: NOW_MS - 80 * DAY },
    );
    const { body } = await us("GET", "/visitors/v1");
    const visit = (requestId: string, timestamp: number) => ({
      ...{ requestId, timestamp, visitorFound: true },
      time: new Date(timestamp).toISOString(),
    });
    const url = "https://shop.example/";
    expect(body).toMatchObject({
      visitorId: "v1",
      visits: [
        { ...visit("e0", NOW_MS - HOUR), linkedId: "l", url },
        visit("e2", NOW_MS - 80 * DAY),
      ],
    });
  });

  // contract: legacy-39
  it.each([
    ["?request_id=e1", ["e1"]],
    ["?linked_id=l", ["e0"]],
    ["?linked_id=other", []],
    [`?before=${NOW_MS - 2 * HOUR}`, ["e2"]],
    [`?before=${NOW_MS - 9 * HOUR}`, []],
    ["?ii=x", ["e0", "e1", "e2"]],
  ])("lists the right visits with %j", async (query, ids) => {
    await add(
      { ...identified("v1"), linked_id: "l" },
      identified("v1"),
      identified("v1"),
    );
    expect((await visits(query)).ids).toEqual(ids);
  });

  // contract: legacy-39
  it("pages with the time of the last visit", async () => {
    await add(identified("v1"), identified("v1"), identified("v1"));
    const first = await visits("?limit=2");
    expect(first.ids).toEqual(["e0", "e1"]);
    expect(first.lastTimestamp).toBe(NOW_MS - 2 * HOUR);
    const key = String(first.paginationKey);
    await add({ event_id: "new", ...identified("v1") });
    const second = await visits(`?limit=2&paginationKey=${key}`);
    expect(second).toEqual({ visitorId: "v1", ids: ["e2"] });
    const wrong = await us("GET", `/visitors/v2?paginationKey=${key}`);
    expect(wrong.status).toBe(400);
    expect(wrong.body).toEqual({ error: "invalid pagination key" });
  });

  // contract: events-29, legacy-41
  it("returns errors as a text", async () => {
    for (const [path, status, error] of [
      ["nobody", 404, "visitor not found"],
      [
        "a?pagination_key=x",
        400,
        "invalid pagination key: pagination_key is not known",
      ],
    ] as const) {
      const answer = await us("GET", `/visitors/${path}`);
      expect([answer.status, answer.body]).toEqual([status, { error }]);
    }
  });
});
