import { describe, expect, it } from "vitest";
import { searchPage, sendEvents } from "../server-api/event-calls.js";
import {
  BROWSER,
  CHROME,
  decisionsOf,
  identify,
  visit,
} from "./identify-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

const deny = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny",
});

/** The names of the rules that decided so far. */
const rulesSoFar = async () =>
  (await decisionsOf(local)).map(
    ({ rule }) => (rule as { name: string } | null)?.name,
  );

describe("the rules in force", () => {
  it.each([
    ["http.request.headers['Origin'][0] == 'https://shop.example'", true],
    ["http.request.headers['Origin'][0] == 'https://other.example'", false],
    ["http.request.headers['User-Agent'][0] contains 'Chrome/131'", true],
    ["http.request.headers['Sec-Ch-Ua-Platform'][0] == '\"Windows\"'", true],
    ["any(http.request.headers['X-Twice'], # contains 'b')", true],
    ["any(http.request.headers['origin'], true)", false],
    ["'sEC-ch-UA-platform' in http.request.headers", false],
    ["len(http.request.headers['Content-Type']) == 1", true],
    ["http.user_agent.string contains 'Windows NT 10.0'", true],
    ["http.user_agent.is_crawler_bot || http.user_agent.is_ai_bot", false],
    ["http.request.ip in cidr('127.0.0.0/8')", true],
    ["http.request.ip in cidr('10.0.0.0/8')", false],
    ["sdk.platform.is_browser && sdk.platform.name == 'js'", true],
    ["sdk.version == '4.0.0'", true],
    ["sdk.platform.app_package_name == ''", true],
  ])("see the HTTP request: %s", async (expression, isDenied) => {
    await local.enforce([deny("rule", expression)]);
    const headers = {
      ...{ ...BROWSER, "sEC-ch-UA-platform": '"Windows"' },
      ...{ "x-twice": "a, b", "x-forwarded-for": "10.1.2.3" },
    };
    const answer = await identify(local, {}, { headers });
    expect(answer.status).toBe(isDenied ? 403 : 200);
  });

  it.each(["toaster", "JS", ""])(
    "and the event see the platform %j as unknown",
    async (platform) => {
      await local.enforce([
        deny("told", "sdk.platform.name != 'unknown'"),
        deny("known", "!sdk.platform.is_unknown"),
      ]);
      const sdk = { platform, version: "3" };
      const { event } = await visit(local, { sdk });
      expect(event.sdk).toMatchObject({ platform: "unknown", version: "3" });
    },
  );

  it("distinguish AI bots from crawlers", async () => {
    await local.enforce([
      deny("ai", "http.user_agent.is_ai_bot"),
      deny("crawler", "http.user_agent.is_crawler_bot"),
    ]);
    for (const agent of ["GPTBot/1.2", "Googlebot/2.1", CHROME])
      await identify(local, {}, { headers: { "user-agent": agent } });
    expect(await rulesSoFar()).toEqual(["ai", "crawler", undefined]);
  });

  // contract: agent-50, rules-1
  it("prevent everything else when they deny", async () => {
    const hook = { url: "http://127.0.0.1:9/", verified: true };
    await local.control("/us/webhooks", hook);
    await local.enforce([deny("all", "true")]);
    const denied = await identify(local, { linked_id: "a" });
    expect(denied.status).toBe(403);
    expect(denied.body).toEqual({
      error: { code: "subscription_not_active", message: "Forbidden" },
      event_id: expect.any(String) as string,
    });
    expect((await searchPage(sendEvents(local))).events).toEqual([]);
    expect((await local.controlCall("GET", "/us/deliveries")).body).toEqual([]);
    await local.enforce([]);
    // A denied visitor is not stored.
    expect((await visit(local)).event).toMatchObject({
      identification: { visitor_found: false },
      velocity: { ip_events: { "24_hours": 1 } },
    });
  });

  // contract: rules-2, rules-5
  it("come from the key's environment, in order", async () => {
    const environment = await local.newEnvironment();
    const { token } = await local.newKey({ type: "public", environment });
    const here = { key: token };
    await local.enforce([deny("all", "true")], environment);
    expect((await identify(local, {}, here)).status).toBe(403);
    expect((await identify(local)).status).toBe(200);
    await local.enforce(
      [
        { ...deny("skipped", "true"), status: "disabled" },
        deny("fails", "http.request.headers['Missing'][0] == 'x'"),
        { name: "ours", expression: "sdk.version == '4.0.0'", action: "allow" },
        deny("all", "true"),
      ],
      environment,
    );
    expect((await identify(local, {}, here)).status).toBe(200);
    const sdk = { platform: "js", version: "3" };
    expect((await identify(local, { sdk }, here)).status).toBe(403);
    expect(await rulesSoFar()).toEqual(["all", undefined, "ours", "all"]);
  });
});

describe("a decision", () => {
  it("records the rule, the request and the result", async () => {
    const expression = "sdk.version == '3'";
    await local.enforce([
      deny("old", "sdk.version == '2'"),
      { ...deny("twin", expression), status: "disabled" },
      deny("twin", expression),
    ]);
    const { list } = await local.us("GET", "/filtering-rules");
    const { event_id } = await visit(local);
    const sdk = { platform: "toaster", version: "3" };
    const headers = { cookie: "secret=1", authorization: "Basic secret" };
    await identify(local, { sdk }, { headers });
    const [first, second, ...rest] = await decisionsOf(local);
    const { publicKey, environment } = local.service.workspaces.us;
    const { list: keys } = await local.us("GET", "/api-keys?type=public");
    const [key] = keys.filter(({ token }) => token === publicKey);
    expect(rest).toEqual([]);
    const { request: _, at, n, ...decision } = first ?? {};
    expect(n).toBeTypeOf("number");
    expect(decision).toEqual({
      ...{ environment, key: key?.id, event_id },
      ...{ result: "allow", deny_with: null, rule: null },
    });
    expect(Math.abs(Date.parse(String(at)) - Date.now())).toBeLessThan(10_000);
    expect(second).toMatchObject({
      result: "deny",
      deny_with: "Forbidden",
      rule: { id: list[2]?.id, name: "twin", expression },
      event_id: null,
      request: {
        ip: "127.0.0.1",
        userAgent: CHROME,
        sdkPlatform: "unknown",
        sdkVersion: "3",
        headers: {
          Origin: ["https://shop.example"],
          "User-Agent": [CHROME],
          "Content-Type": ["application/json"],
        },
      },
    });
    expect(JSON.stringify(second)).not.toContain("secret");
  });

  it("has an increasing number, from which a caller can continue", async () => {
    for (let n = 0; n < 3; n++) await identify(local);
    const all = await decisionsOf(local);
    const numbers = all.map(({ n }) => n as number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await decisionsOf(local, "us", numbers[1])).toEqual(all.slice(2));
    expect(await decisionsOf(local, "eu")).toEqual([]);
    const { status } = await local.controlCall("GET", "/us/decisions?since=x");
    expect(status).toBe(400);
  });
});
