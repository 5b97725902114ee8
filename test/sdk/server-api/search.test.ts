import type { EventSearchArgs } from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { answering, event } from "./secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;
beforeEach(async () => {
  service = await answering([200, { events: [event("e1")] }]);
});

/** The query of a search, in order. */
async function sent(args: EventSearchArgs): Promise<string[][]> {
  await service.client.events.search(args);
  const request = service.received.at(-1);
  const url = new URL(request?.path ?? "", service.url);
  expect(url.pathname).toBe("/us/v4/events");
  return [...url.searchParams];
}

// test/contract/queries.test.ts has every kind of value.
describe("the query of a search", () => {
  it.each<[string, EventSearchArgs, string[][]]>([
    // contract: events-41
    ["nothing", {}, []],
    ["nothing for undefined", { visitorId: undefined, limit: undefined }, []],
    [
      "a repeated parameter as repeated keys, commas as part of a value",
      { botInfoProvider: ["a,b", "c[]"], environment: ["ae_1"] },
      [
        ["environment", "ae_1"],
        ["bot_info_provider", "a,b"],
        ["bot_info_provider", "c[]"],
      ],
    ],
    [
      "times as milliseconds",
      { start: new Date(1_000), end: "1970-01-01T01:00:02.5+01:00" },
      [
        ["start", "1000"],
        ["end", "2500"],
      ],
    ],
  ])("contains %s", async (_, args, query) => {
    expect(await sent(args)).toEqual(query);
  });

  // contract: events-52
  it("is sent with the secret key as a bearer token, and without a body", async () => {
    await sent({});
    const [request] = service.received;
    expect(request).toMatchObject({ method: "GET", body: "" });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer a-secret-key",
      accept: "application/json",
    });
    expect(request?.headers).not.toHaveProperty("x-api-version");
  });
});

describe("a search is refused before anything is sent", () => {
  const DATE_TIME =
    "must be a Date, Unix milliseconds, or a date-time such as 2026-01-31T00:00:00Z";
  const RANGE = "must be an IP address or a CIDR range";
  const hundred = "must be a whole number from 1 to 100";
  const REFUSED: [argument: string, message: string, values: unknown[]][] = [
    ["visitorId", "must be a text", [["v1"], null]],
    ["visitorId", "must not be empty", ["", " ", "\t\u00a0"]],
    ["environment[1]", "must not be empty", [["ae_1", " "]]],
    ["vpn", "must be true or false", ["true", [true]]],
    ["bot", "must be one of all, good, bad, none", ["evil", ["bad"]]],
    ["environment", "must be an array", ["ae_1"]],
    ["environment", "must not be empty; leave it out instead", [[]]],
    ["environment[1]", "must be a text", [["ae_1", 2]]],
    [
      "botInfoConfidence[0]",
      "must be one of low, medium, high",
      [["high,low"]],
    ],
    ["source", "takes 1 value", [["edge", "edge"]]],
    ["source[0]", "must be one of edge", [["device"]]],
    ["ipAddress", RANGE, ["192.0.2.256", "192.0.2.0/33"]],
    ["limit", hundred, [0, 101, 1.5, "10", NaN]],
    ["totalHits", `${hundred}0`, [0, 1001]],
    ["minSuspectScore", "must be a number", [Infinity]],
    ["start", DATE_TIME, [new Date(NaN), "2026-02-30T00:00:00Z", "2026-01-31"]],
    ["start", DATE_TIME, ["2026-01-31T00:00Z", "2026-01-31T00:00:00"]],
    ["end", DATE_TIME, [1.5, -1, [1]]],
    ["visitor_id", "is not known; did you mean visitorId?", ["v1"]],
    ["minSuspectScor", "is not known; did you mean minSuspectScore?", [1]],
    ["ruleset", "is not known", ["r"]],
  ];

  it.each(REFUSED)(
    "for its %s, which %s",
    async (property, message, values) => {
      const name = property.replace(/\[.*/, "");
      for (const value of values) {
        const args = { [name]: value };
        const error = await rejection(service.client.events.search(args));
        expect(error).toMatchObject({
          name: "InvalidInputError",
          violations: [{ property, message }],
        });
      }
      expect(service.received).toEqual([]);
    },
  );

  it("for a start after its end", async () => {
    const [start, end] = ["1970-01-01T00:00:02Z", new Date(1)];
    for (const args of [
      { start: 2, end: 1 },
      { start, end },
    ]) {
      const error = await rejection(service.client.events.search(args));
      expect(error).toMatchObject({
        violations: [{ property: "start", message: "must not be after end" }],
      });
    }
    expect(service.received).toEqual([]);
  });

  it("with all mistakes, and only the names of the filters", async () => {
    const args = { linkedId: "a customer", limit: 0, vpn: "no" } as object;
    const error = await rejection(service.client.events.search(args));
    expect(error.message).toSay("events/search-invalid");
  });
});

describe("the answer of a search", () => {
  const answer = async (body: unknown) => {
    const answered = await answering([200, body]);
    return answered.client.events.search();
  };

  // contract: events-101
  it("is the page with unchanged events", async () => {
    const odd = {
      new_signal: { deep: [1] },
      ...event("e1"),
      tags: { aB_c: 1 },
    };
    const page = await answer({
      events: [odd],
      pagination_key: "next",
      total_hits: 7,
      more: true,
    });
    expect(page).toEqual({
      events: [odd],
      paginationKey: "next",
      totalHits: 7,
    });
    expect(JSON.stringify(page.events[0])).toBe(JSON.stringify(odd));
  });

  it("has no key if there is no further page", async () => {
    for (const last of [{}, { pagination_key: "" }])
      expect(await answer({ events: [], ...last })).toEqual({ events: [] });
  });

  it.each<[string, unknown]>([
    ["no list of events", {}],
    // contract: events-9
    ["an event without an ID", { events: [{ timestamp: 1 }] }],
    ["a key that is not a text", { events: [], pagination_key: 1 }],
    ["nothing", ""],
  ])("is an error if it has %s", async (_, body) => {
    expect((await rejection(answer(body))).name).toBe("UnexpectedAnswerError");
  });
});
