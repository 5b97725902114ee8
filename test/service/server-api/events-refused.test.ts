import { EVENT_SEARCH_PARAMETERS } from "@devid/sdk/wire/events";
import { beforeAll, describe, expect, it } from "vitest";
import { sendEvents } from "./event-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import type { Send } from "../sender.js";
import { openForTests } from "../../helpers/open-for-tests.js";

let events: Send;
const local = openForTests(new LocalWorkspace());
beforeAll(() => {
  events = sendEvents(local);
});

const refused = async (query: string) => {
  const answer = await events("GET", `/events?${query}`);
  expect([query, answer.status, Object.keys(answer.error).sort()]).toEqual([
    query,
    400,
    ["code", "message"],
  ]);
  expect(answer.error.code).toBe("request_cannot_be_parsed");
  return answer.error.message;
};

/** Queries that are refused, and the beginning of each message. */
const REFUSED: [string, string][] = [
  // contract: events-20, events-35, events-53
  ["limit=0", "invalid limit"],
  // contract: events-53, limits-1
  ["limit=101", "invalid limit"],
  ["limit=1.5", "invalid limit"],
  ["limit=-1", "invalid limit"],
  ["limit=1e1", "invalid limit"],
  ["limit=99999999999999999999", "invalid limit"],
  ["limit=", "invalid limit"],
  ["limit=5&limit=6", "invalid limit"],
  // contract: events-35
  ["bot=some", "invalid bot type"],
  ["bot=good,bad", "invalid bot type"],
  ["ip_address=192.0.2", "invalid ip address"],
  ["ip_address=192.0.2.1/33", "invalid ip address"],
  ["ip_address=::1/129", "invalid ip address"],
  ["ip_address=::1%25eth0", "invalid ip address"],
  // contract: events-35, events-70
  ["reverse=yes", "invalid reverse param"],
  ["reverse=1", "invalid reverse param"],
  ["start=yesterday", "invalid start time"],
  ["start=2026-02-30T00:00:00Z", "invalid start time"],
  ["start=2026-01-01", "invalid start time"],
  ["start=2026-01-01T00:00Z", "invalid start time"],
  ["start=2026-01-01T00:00:00", "invalid start time"],
  ["end=1.5", "invalid end time"],
  ["end=9223372036854775808", "invalid end time"],
  ["end=1&end=2", "invalid end time"],
  ["visitor_id=", "invalid visitor id"],
  ["visitor_id=%20", "invalid visitor id"],
  ["visitor_id=a&visitor_id=b", "invalid visitor id"],
  ["pagination_key=", "invalid pagination key"],
  // contract: events-12
  ["pagination_key=x", "invalid pagination key"],
  // contract: events-97, events-98
  ["bot_info_category[]=ai_agent", "invalid bot_info_category[]"],
  ["bot_info_category[0]=ai_agent", "invalid bot_info_category[0]"],
  // contract: events-97
  ["bot_info_category=ai_agent,ai_assistant", "invalid bot_info_category"],
  ["bot_info_identity=verified&bot_info_identity=x", "invalid bot_info_ident"],
  ["bot_info_name=", "invalid bot_info_name"],
  // contract: events-85
  ["source=device", "invalid source"],
  // contract: events-85
  ["source=edge&source=edge", "invalid source"],
  ["vpn=TRUE", "invalid vpn"],
  ["vpn=true&vpn=true", "invalid vpn"],
  // contract: events-77
  ["vpn_confidence=certain", "invalid vpn_confidence"],
  ["min_suspect_score=high", "invalid min_suspect_score"],
  ["min_suspect_score=NaN", "invalid min_suspect_score"],
  // contract: events-79
  ["rare_device_percentile_bucket=p99.9+", "invalid rare_device_percentile_bu"],
  // contract: events-81
  ["sdk_platform=unknown", "invalid sdk_platform"],
  // contract: events-86
  ["total_hits=0", "invalid total_hits"],
  // contract: events-86
  ["total_hits=1001", "invalid total_hits"],
  ["visitor=a", "invalid visitor: visitor is not known"],
  ["ip_blocklist=true", "invalid ip_blocklist"],
  ["__proto__=a", "invalid __proto__"],
];

describe("a search", () => {
  it.each(REFUSED)(
    "with %s is refused, and the message names the parameter",
    async (query, message) => {
      expect(await refused(query)).toContain(message);
    },
  );

  it("with every parameter wrong is refused with all their names", async () => {
    const names = Object.keys(EVENT_SEARCH_PARAMETERS);
    const query = names.map((name) => `${name}=`).join("&");
    const message = await refused(query);
    for (const name of names) expect(message).toContain(`${name} `);
  });

  // contract: events-35
  it("with a linked ID that is too long is refused with the published message", async () => {
    expect(await refused(`linked_id=${"x".repeat(257)}`)).toBe(
      "linked_id can't be greater than 256 characters long",
    );
    const answer = await events("GET", `/events?linked_id=${"x".repeat(256)}`);
    expect(answer.body).toEqual({ events: [] });
  });
});

describe("a read of an event", () => {
  // contract: events-8, events-12, events-14, events-28, events-35, events-38
  // contract: events-40
  it("is refused for an invalid event ID or an unknown parameter", async () => {
    const error = async (path: string) => {
      const answer = await events("GET", `/events/${path}`);
      return [answer.status, answer.error.code, answer.error.message];
    };
    const code = "request_cannot_be_parsed";
    expect(await error("a%20b")).toEqual([400, code, "invalid event_id"]);
    expect(await error("x".repeat(65))).toEqual([
      400,
      code,
      "invalid event_id",
    ]);
    expect((await error("1.a?ruleset_id="))[2]).toContain("ruleset_id must");
    expect((await error("1.a?rulesetId=r"))[2]).toContain("rulesetId is not");
    expect(await error("1732160000000.AbC123")).toEqual([
      404,
      "event_not_found",
      "event id not found",
    ]);
  });
});

describe("an unknown path, method or region", () => {
  it.each([
    // contract: events-8
    ["GET", "/nothing", 404, "not_found"],
    // contract: events-130
    ["POST", "/edge", 404, "not_found"],
    ["GET", "/visitors/v1", 405, "method_not_allowed"],
    ["GET", "/related-visitors?visitor_id=v1", 404, "not_found"],
    // contract: versions-5
    ["PUT", "/events/1.a", 405, "method_not_allowed"],
    ["GET", "/%zz", 400, "request_cannot_be_parsed"],
  ])(
    "is refused in the same format: %s %s",
    async (method, path, status, code) => {
      const answer = await events(method, path, { undocumented: true });
      expect([answer.status, Object.keys(answer.error)]).toEqual([
        status,
        ["code", "message"],
      ]);
      expect(answer.error.code).toBe(code);
    },
  );

  it("is refused with 404 for a region", async () => {
    const response = await fetch(`${local.service.url}/mars/v4/events`);
    expect(response.status).toBe(404);
  });
});
