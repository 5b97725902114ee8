import type { Event } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../helpers/cells-of.js";
import { addEvents, sendEvents, type EventPart } from "./event-calls.js";
import { requestTests } from "../request-tests.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();
const events = sendEvents(local);

const rule = (id: string, expression: string, action: unknown = "block") => ({
  ...{ id, expression, action },
});
/** The decision of a ruleset about an event. */
const judge = async (part: EventPart, rules: object[]) => {
  await local.control("/us/rulesets", { id: "r", rules });
  const [event] = await addEvents(local, [part]);
  const answer = await events("GET", `/events/${event?.event_id}?ruleset_id=r`);
  expect(answer.status).toBe(200);
  const { rule_action, ...rest } = answer.body as Event;
  expect(rest).toEqual(event);
  return rule_action;
};

describe("a ruleset", () => {
  // contract: events-37, events-39, events-117
  it("decides by its first matching rule", async () => {
    const origin = 'http.request.headers["Origin"][0] == "https://a.example"';
    const rules = [
      rule("1", "false"),
      rule("2", origin),
      rule("3", "true", "allow"),
    ];
    expect(await judge({ url: "https://a.example/x" }, rules)).toEqual({
      ...{ type: "block", ruleset_id: "r" },
      ...{ rule_id: "2", rule_expression: origin },
      ...{ status_code: 403, headers: [], body: "" },
    });
    expect(await judge({ url: "https://b.example/x" }, rules)).toEqual({
      ...{ type: "allow", ruleset_id: "r" },
      ...{ rule_id: "3", rule_expression: "true" },
    });
  });

  // contract: events-39
  it("allows if no rule matches", async () => {
    const allowed = { type: "allow", ruleset_id: "r" };
    expect(await judge({}, [rule("1", "false")])).toEqual(allowed);
    expect(await judge({}, [])).toEqual(allowed);
  });

  // contract: events-117
  it("returns the other members of its rule's action", async () => {
    const allow = {
      type: "allow",
      request_header_modifications: { set: [{ name: "X-Bot", value: "no" }] },
    };
    expect(await judge({}, [rule("1", "true", allow)])).toMatchObject(allow);
    const block = {
      type: "block",
      status_code: 429,
      headers: [{ name: "Retry-After", value: "5" }],
      body: "Slow down",
    };
    expect(await judge({}, [rule("1", "true", block)])).toMatchObject(block);
  });

  // contract: events-39
  it("does not match by a field that the event lacks", async () => {
    for (const [expression = "", part, type] of cellsOf(`
http.user_agent.is_crawler_bot | {user_agent: Googlebot/2.1} | block
not http.user_agent.is_crawler_bot | {user_agent: Googlebot/2.1} | allow
http.user_agent.is_crawler_bot | {} | allow
not http.user_agent.is_crawler_bot | {} | allow
http.request.headers["X-Other"][0] == "a" | {} | allow
not ("X-Other" in http.request.headers) | {} | allow
"X-Other" in http.request.headers or true | {} | block
http.request.headers["Referer"][0] == "https://b.example/" | {client_referrer: https://b.example/} | allow
not ("Referer" in http.request.headers) | {client_referrer: https://b.example/} | allow
http.request.headers["Origin"][0] == "https://c.example" | {origin: https://c.example} | block
http.request.ip in cidr("192.0.2.0/24") | {ip_address: 192.0.2.9} | block
`))
      expect(
        await judge(parse(part ?? "") as EventPart, [rule("1", expression)]),
        expression,
      ).toMatchObject({ type });
  });

  // contract: events-22
  it("replaces the ruleset with the same ID in its workspace", async () => {
    expect((await judge({}, [rule("1", "true")]))?.type).toBe("block");
    expect((await judge({}, [rule("1", "false")]))?.type).toBe("allow");
    const [event] = await addEvents(local, [{}], "eu");
    const path = `/events/${event?.event_id}?ruleset_id=r`;
    const answer = await sendEvents(local, "eu")("GET", path);
    expect(answer.refusal).toEqual([400, "ruleset_not_found"]);
    expect(answer.error.message).toBe("ruleset not found");
  });
});

requestTests(
  local,
  `
a wrong ruleset is refused
  control POST /us/rulesets {} = 400 [id, rules]
  control POST /us/rulesets {id: "", rules: []} = 400 [id]
  control POST /us/rulesets {id: r, rules: [{id: "1", expression: "true", action: block},
    {id: "2", expression: http.nothing, action: block}]} = 400 ["rules[1].expression"]
  control POST /us/rulesets {id: r, rules: [{id: "1", expression: "true", action: deny}]}
    = 400 ["rules[0].action"]
  control POST /us/rulesets {id: r, rules: [{id: "1", expression: "true", action: {type:
    allow, body: ""}}]} = 400 ["rules[0].action.body"]
`,
);
