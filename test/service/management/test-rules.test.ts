import { beforeAll, describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests.js";

let environment: string;
const local = localForTests();
beforeAll(() => {
  ({ environment } = local.service.workspaces.us);
});

const test = (body: unknown, service = local) =>
  service.us("POST", "/filtering-rules/test", { body });
const decision = async (body: object) =>
  (await test({ test_request_payload: {}, ...body })).data;

const IOS = "sdk.platform.is_ios";
const APP = "http.user_agent.string contains 'ShopApp'";
const SHOP = "http.request.headers['Origin'][0] == 'https://shop.example'";
const BOT = "http.user_agent.is_crawler_bot";

const allowed = (by: string | null) => ({
  result: "allow",
  deny_with: null,
  triggered_rule: by,
});
const denied = (by: string) => ({
  result: "deny",
  deny_with: "Forbidden",
  triggered_rule: by,
});

describe("a rule with nested quantifiers", () => {
  const nested = (depth: number): string =>
    depth === 0
      ? "# == 'never'"
      : `any(http.request.headers['X-A'], ${nested(depth - 1)})`;
  const values = Array.from({ length: 50 }, (_, i) => `v${i}`);
  const test_request_payload = {
    headers: { "X-A": values },
    sdkPlatform: "ios",
  };

  it("does not match beyond its limit, and other calls are answered meanwhile", async () => {
    const rules = [
      { expression: `!${nested(8)}`, action: "allow" },
      { expression: IOS, action: "deny" },
    ];
    // Without the limit, 50 to the power of 8 steps would never end.
    const [found, other] = await Promise.all([
      decision({ rules, test_request_payload }),
      decision({ rules: [{ expression: BOT, action: "deny" }] }),
    ]);
    expect(found).toEqual(denied(IOS));
    expect(other).toEqual(allowed(null));
  });

  it("is evaluated within its limit", async () => {
    const rules = [{ expression: `!${nested(2)}`, action: "deny" }];
    const found = await decision({ rules, test_request_payload });
    expect(found).toEqual(denied(`!${nested(2)}`));
  });
});

describe("a test of given rules", () => {
  // test-rules-properties.test.ts compares the decisions with the evaluator.
  // contract: management-177
  it.each([{}, { deny_with: "Forbidden" }, { deny_with: null }])(
    "denies with Forbidden: %j",
    async (more) => {
      const rules = [{ expression: BOT, action: "deny", ...more }];
      const test_request_payload = { userAgent: "Googlebot/2.1" };
      const found = await decision({ rules, test_request_payload });
      expect(found).toEqual(denied(BOT));
    },
  );

  // contract: management-177
  it("refuses wrong rules with their mistakes", async () => {
    const answer = await test({
      rules: [{ expression: "true", action: "deny" }, { expression: "sdk" }],
      test_request_payload: {},
    });
    expect(answer.violated).toEqual(["rules[1].action", "rules[1].expression"]);
  });
});

describe("a test of an environment's rules", () => {
  const write = (rules: object[], of = environment) =>
    local.us("POST", "/filtering-rules/bulk", {
      body: { mode: "overwrite", environment: of, rules },
    });
  const rule = (expression: string, more: object = {}) => ({
    name: expression,
    expression,
    action: "deny",
    ...more,
  });

  // contract: management-178, rules-4
  it("uses only the current rules of that environment", async () => {
    const other = await local.newEnvironment();
    await write([rule("true")], other);
    expect(await decision({ environment })).toEqual(allowed(null));
    expect(await decision({ environment: other })).toEqual(denied("true"));
    const { ids } = await write([rule("true"), rule("!false")]);
    expect(await decision({ environment })).toEqual(denied("true"));
    const change = (body: object) =>
      local.us("POST", `/filtering-rules/${ids[0]}`, { body });
    await change({ placement: { position: 1 } });
    expect(await decision({ environment })).toEqual(denied("!false"));
    await change({ placement: { position: 0 }, action: "allow" });
    expect(await decision({ environment })).toEqual(allowed("true"));
    await change({ status: "disabled" });
    expect(await decision({ environment })).toEqual(denied("!false"));
  });
});

// contract: management-182
it("a test of rules requires either rules or an environment, and one of the two requests", async () => {
  const rules = [{ expression: "true", action: "deny" }];
  const id = { test_request_id: "1.a" };
  const payload = { test_request_payload: {} };
  const violated = async (body?: object) => (await test(body)).violated;
  expect(await violated({ rules, environment, ...id })).toEqual(["body"]);
  expect(await violated({ rules, ...id, ...payload })).toEqual(["body"]);
  expect(await violated({ environment })).toEqual(["body"]);
  expect(await violated({})).toEqual(["body", "body"]);
  expect(await violated()).toEqual(["body"]);
  expect(await violated({ environment: "ae_none", ...payload })).toEqual([
    "environment",
  ]);
});

describe("a test with a past event", () => {
  // contract: management-179
  it("uses the request of that event", async () => {
    const sent = { url: "https://shop.example/cart", user_agent: "ShopApp/1" };
    const events = await local.control("/us/events", [sent]);
    const [event] = events as { event_id: string }[];
    const of = { test_request_id: event?.event_id };
    const rules = (expression: string) => [{ expression, action: "deny" }];
    const said = async (expression: string) =>
      (await test({ ...of, rules: rules(expression) })).data;
    expect(await said(SHOP)).toEqual(denied(SHOP));
    expect(await said(APP)).toEqual(denied(APP));
    // Headers that no event has count as not sent.
    const other = "http.request.headers['X-A'] == nil";
    expect(await said(other)).toEqual(denied(other));
  });

  // contract: management-179
  it("is refused if the event is older than three months", async () => {
    await local.control("/us/events", [{ event_id: "1.old" }]);
    const of = { environment, test_request_id: "1.old" };
    // The clock moves on, so the last moment cannot be tested exactly.
    await local.advance("89.9d");
    expect((await test(of)).status).toBe(200);
    await local.advance("0.2d");
    const answer = await test(of);
    expect([answer.status, answer.violated]).toEqual([
      400,
      ["test_request_id"],
    ]);
    expect(answer.error.message).toMatch(/older than three months/);
  });

  // contract: management-179
  it("returns 404 if the event does not exist", async () => {
    const answer = await test({ environment, test_request_id: "1700.abc" });
    expect([answer.status, answer.error.code]).toEqual([404, "not_found"]);
    expect(answer.error.message).toBe("There is no event 1700.abc.");
  });
});
