import { afterEach, describe, expect, it } from "vitest";
import { addEvents } from "../server-api/event-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace({ rateLimit: 5 }));

afterEach(() => local.controlCall("POST", "/reset"));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${local.service.url}${path}`, { headers });

describe("the rule playground", () => {
  const ask = (what: string, body: object, headers = {}) =>
    fetch(`${local.service.url}/playground/us/rules/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const decided = async (rules: string, request: object, isPartial = false) => {
    const body = { rules, request: JSON.stringify(request), isPartial };
    return (await ask("decide", body)).text();
  };
  const RULES = `rules:
  - name: crawlers
    expression: http.user_agent.is_crawler_bot && sdk.platform.is_browser
    action: deny
`;

  it("decides like the service, and explains the decision", async () => {
    const part = await decided(RULES, {
      userAgent: "Googlebot/2.1",
      sdkPlatform: "ios",
    });
    expect(part).toMatch(/allow<\/span\s*>, for no rule matches/);
    expect(part).toContain("does not match");
    expect(part).toMatch(
      /true<\/span\s*>\s*<code>http.user_agent.is_crawler_bot/,
    );
    expect(part).toMatch(/false<\/span\s*>\s*<code>sdk.platform.is_browser/);
    const open = await decided(RULES, { userAgent: "Googlebot/2.1" }, true);
    expect(open).toContain("cannot tell");
    expect(open).toContain("may match");
  });

  it("names every mistake of the rules and of the request, with its place", async () => {
    const part = await decided(RULES.replace("is_browser", "is_phone"), {
      port: 1,
    });
    expect(part).toMatch(/Rule file, line 3, column \d+: .*is_phone/);
    expect(part).toMatch(/Request: .*port/);
    const body = { rules: "rules: [", request: "{", isPartial: false };
    const both = await (await ask("decide", body)).text();
    expect(both).toContain("Rule file, line 1");
    expect(both).toContain("Request: it is not JSON");
  });

  it("replays the last events of an environment without changing anything", async () => {
    const { environment } = local.service.workspaces.us;
    const body = { rules: RULES, environment };
    expect(await (await ask("replay", body)).text()).toContain("no event");
    const events = Array.from({ length: 12 }, (_, n) => ({
      user_agent: n < 5 ? "Googlebot/2.1" : "Mozilla/5.0",
      sdk: { platform: "js", version: "4.0.0" },
    }));
    await addEvents(local, events);
    const part = await (await ask("replay", body)).text();
    expect(part).toContain("Replay of the last 12 events");
    expect(part).toMatch(/\b5 newly denied/);
    expect(part).toMatch(/href="\/console\/events\/us\/\d+\.\w+"/);
    const { body: rules } = await local.us("GET", "/filtering-rules");
    expect(rules).toMatchObject({ data: [] });
  });

  it("fills in the request of an event, without the values that the event lacks", async () => {
    const [event] = await addEvents(local, [{ user_agent: "curl/8" }]);
    const path = `/console/events/us/${event?.event_id}/request`;
    const request = (await (await get(path)).json()) as object;
    expect(request).toMatchObject({ userAgent: "curl/8" });
    expect(request).not.toHaveProperty("ip");
  });

  it("refuses pages of other sites, unknown bodies and unknown environments", async () => {
    const good = { rules: RULES, request: "{}", isPartial: false };
    const evil = { origin: "https://evil.example" };
    expect((await ask("decide", good, evil)).status).toBe(403);
    const plain = { "content-type": "text/plain" };
    expect((await ask("decide", good, plain)).status).toBe(415);
    expect((await ask("decide", { ...good, more: 1 })).status).toBe(400);
    const moon = { rules: RULES, environment: "ae_moon" };
    expect((await ask("replay", moon)).status).toBe(404);
    expect((await get("/playground/moon/rules")).status).toBe(404);
    expect(
      (await get("/playground/us/rules/in-force?environment=ae_moon")).status,
    ).toBe(404);
  });
});
