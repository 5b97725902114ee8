import { EVENT_SEARCH_PARAMETERS } from "@devid/sdk/wire/events";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../../helpers/cells-of.js";
import { sendEvents } from "./event-calls.js";
import { requestTests } from "../request-tests.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace());
const events = sendEvents(local);

const refused = async (query: string) => {
  const answer = await events("GET", `/events?${query}`);
  expect(answer.refusal, query).toEqual([400, "request_cannot_be_parsed"]);
  expect(Object.keys(answer.error).sort()).toEqual(["code", "message"]);
  return answer.error.message;
};

/**
 * Messages, and the values of a parameter, or the queries, that are refused with each. `''` is
 * an empty value.
 */
const REFUSED = `
// contract: events-20, events-35, events-53, limits-1
invalid limit | limit= | 0 101 1.5 -1 1e1 999999999999999999 '' 5&limit=6
// contract: events-35
invalid bot type | bot= | some good,bad
invalid ip address | ip_address= | 192.0.2 192.0.2.1/33 ::1/129 ::1%25eth0
// contract: events-35, events-70
invalid reverse param | reverse= | yes 1
invalid start time | start= | yesterday 2026-02-30T00:00:00Z 2026-01-01 2026-01-01T00:00Z 2026-01-01T00:00:00
invalid end time | end= | 1.5 9223372036854775808 1&end=2
invalid visitor id | visitor_id= | '' %20 a&visitor_id=b
// contract: events-12
invalid pagination key | pagination_key= | '' x
// contract: events-97, events-98
invalid bot_info_category[] | bot_info_category[]= | ai_agent
invalid bot_info_category[0] | bot_info_category[0]= | ai_agent
// contract: events-97
invalid bot_info_category | bot_info_category= | ai_agent,ai_assistant
invalid bot_info_ident | bot_info_identity= | verified&bot_info_identity=x
invalid bot_info_name | bot_info_name= | ''
// contract: events-85
invalid source | source= | device edge&source=edge
invalid vpn | vpn= | TRUE true&vpn=true
// contract: events-77
invalid vpn_confidence | vpn_confidence= | certain
invalid min_suspect_score | min_suspect_score= | high NaN
// contract: events-79
invalid rare_device_percentile_bu | rare_device_percentile_bucket= | p99.9+
// contract: events-81
invalid sdk_platform | sdk_platform= | unknown
// contract: events-86
invalid total_hits | total_hits= | 0 1001
invalid visitor: visitor is not known | visitor= | a
invalid ip_blocklist | ip_blocklist= | true
invalid __proto__ | __proto__= | a
`;

describe("a search", () => {
  it.each(cellsOf(REFUSED))(
    "is refused, and the message names the parameter: %s",
    async (message, start = "", ends = "") => {
      for (const end of ends.split(" "))
        expect(await refused(start + end.replace("''", ""))).toContain(message);
    },
  );

  it.each(["", "%20", "%09%C2%A0"])(
    "with every parameter empty or blank (%j) is refused with all their names",
    async (blank) => {
      const names = Object.keys(EVENT_SEARCH_PARAMETERS);
      const query = names.map((name) => `${name}=${blank}`).join("&");
      const message = await refused(query);
      for (const name of names) {
        expect(message).toContain(`${name} `);
        await refused(`${name}=${blank}`);
      }
    },
  );

  // contract: events-35
  it("with a linked ID that is too long is refused with the published message", async () => {
    expect(await refused(`linked_id=${"x".repeat(257)}`)).toBe(
      "linked_id can't be greater than 256 characters long",
    );
    const answer = await events("GET", `/events?linked_id=${"x".repeat(256)}`);
    expect(answer.body).toEqual({ events: [] });
  });
});

requestTests(
  local,
  `
// contract: events-8, events-12, events-14, events-28, events-35, events-38
// contract: events-40
a read of an event is refused for an invalid event ID or an unknown parameter
  v4 GET /events/a%20b = 400 request_cannot_be_parsed {message: invalid event_id}
  v4 GET /events/${"x".repeat(65)} = 400 request_cannot_be_parsed {message: invalid
    event_id}
  v4 GET /events/1.a?ruleset_id= = 400 {message: "~.*ruleset_id must"}
  v4 GET /events/1.a?rulesetId=r = 400 {message: "~.*rulesetId is not"}
  v4 GET /events/1732160000000.AbC123 = 404 event_not_found {message: event id not
    found}
// contract: events-8, events-130
an unknown path is refused in the same format
  v4 GET /nothing = 404 not_found
  v4 POST /edge = 404 not_found
  v4 GET /related-visitors?visitor_id=v1 = 404 not_found
`,
);

it("an unknown region is refused with 404", async () => {
  const response = await fetch(`${local.service.url}/mars/v4/events`);
  expect(response.status).toBe(404);
});
