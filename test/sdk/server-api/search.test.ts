import type { EventSearchArgs } from "@devid/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answering, event } from "./secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;
beforeEach(async () => {
  service = await answering([200, { events: [event("e1")] }]);
});
afterEach(() => service.close());

/** The query of a search, in order. */
async function sent(args: EventSearchArgs): Promise<string[][]> {
  await service.client.events.search(args);
  const request = service.received.at(-1);
  const url = new URL(request?.path ?? "", service.url);
  expect(url.pathname).toBe("/us/v4/events");
  return [...url.searchParams];
}

describe("the query of a search", () => {
  // contract: events-99
  it.each<[string, EventSearchArgs, string[][]]>([
    // contract: events-41
    ["nothing", {}, []],
    ["nothing for undefined", { visitorId: undefined, limit: undefined }, []],
    ["a text", { visitorId: "v 1&+,é" }, [["visitor_id", "v 1&+,é"]]],
    ["true", { vpn: true }, [["vpn", "true"]]],
    // contract: events-99
    ["false", { suspect: false }, [["suspect", "false"]]],
    ["an address", { ipAddress: "192.0.2.1" }, [["ip_address", "192.0.2.1"]]],
    [
      "a range",
      { ipAddress: "2001:db8::/32" },
      [["ip_address", "2001:db8::/32"]],
    ],
    ["a value of an enumeration", { bot: "none" }, [["bot", "none"]]],
    ["a float", { minSuspectScore: 0.5 }, [["min_suspect_score", "0.5"]]],
    ["zero", { minSuspectScore: 0 }, [["min_suspect_score", "0"]]],
    [
      "a bucket with its sign",
      { rareDevicePercentileBucket: "<p95" },
      [["rare_device_percentile_bucket", "<p95"]],
    ],
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
      "the page",
      { limit: 100, paginationKey: "k=/+ ", reverse: true, totalHits: 1000 },
      [
        ["limit", "100"],
        ["pagination_key", "k=/+ "],
        ["reverse", "true"],
        ["total_hits", "1000"],
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
    [
      "milliseconds",
      { start: 5, end: 5 },
      [
        ["start", "5"],
        ["end", "5"],
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
  it.each<[object, string, string]>([
    [{ visitorId: ["v1"] }, "visitorId", "must be a text"],
    [{ visitorId: "" }, "visitorId", "must not be empty"],
    [{ visitorId: null }, "visitorId", "must be a text"],
    [{ vpn: "true" }, "vpn", "must be true or false"],
    [{ vpn: [true] }, "vpn", "must be true or false"],
    [{ bot: "evil" }, "bot", "must be one of all, good, bad, none"],
    [{ bot: ["bad"] }, "bot", "must be one of all, good, bad, none"],
    [{ environment: "ae_1" }, "environment", "must be an array"],
    [
      { environment: [] },
      "environment",
      "must not be empty; leave it out instead",
    ],
    [{ environment: ["ae_1", 2] }, "environment[1]", "must be a text"],
    [
      { botInfoConfidence: ["high,low"] },
      "botInfoConfidence[0]",
      "must be one of low, medium, high",
    ],
    [{ source: ["edge", "edge"] }, "source", "takes 1 value"],
    [{ source: ["device"] }, "source[0]", "must be one of edge"],
    [
      { ipAddress: "192.0.2.256" },
      "ipAddress",
      "must be an IP address or a CIDR range",
    ],
    [
      { ipAddress: "192.0.2.0/33" },
      "ipAddress",
      "must be an IP address or a CIDR range",
    ],
    [{ limit: 0 }, "limit", "must be a whole number from 1 to 100"],
    [{ limit: 101 }, "limit", "must be a whole number from 1 to 100"],
    [{ limit: 1.5 }, "limit", "must be a whole number from 1 to 100"],
    [{ limit: "10" }, "limit", "must be a whole number from 1 to 100"],
    [{ limit: NaN }, "limit", "must be a whole number from 1 to 100"],
    [{ totalHits: 0 }, "totalHits", "must be a whole number from 1 to 1000"],
    [{ totalHits: 1001 }, "totalHits", "must be a whole number from 1 to 1000"],
    [{ minSuspectScore: Infinity }, "minSuspectScore", "must be a number"],
    [{ start: new Date(NaN) }, "start", DATE_TIME],
    [{ start: "2026-02-30T00:00:00Z" }, "start", DATE_TIME],
    [{ start: "2026-01-31" }, "start", DATE_TIME],
    [{ start: "2026-01-31T00:00Z" }, "start", DATE_TIME],
    [{ start: "2026-01-31T00:00:00" }, "start", DATE_TIME],
    [{ end: 1.5 }, "end", DATE_TIME],
    [{ end: -1 }, "end", DATE_TIME],
    [{ end: [1] }, "end", DATE_TIME],
    [{ start: 2, end: 1 }, "start", "must not be after end"],
    [
      { start: "1970-01-01T00:00:02Z", end: new Date(1) },
      "start",
      "must not be after end",
    ],
    [{ visitor_id: "v1" }, "visitor_id", "is not known; write visitorId"],
    [{ ruleset: "r" }, "ruleset", "is not known"],
  ])("with %j", async (args, property, message) => {
    const error = await rejection(service.client.events.search(args));
    expect(error).toMatchObject({
      name: "InvalidInputError",
      violations: [{ property, message }],
    });
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
    try {
      return await answered.client.events.search();
    } finally {
      await answered.close();
    }
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
