import { describe, expect, it } from "vitest";
import { BROWSER, CHROME, eventOf, visit } from "./identify-calls.js";
import { cellsOf, rowsOf } from "../../helpers/cells-of.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace());

/** The event of a browser with this user agent. */
const eventFrom = async (agent: string, signals = {}) => {
  const headers = { ...BROWSER, "user-agent": agent };
  const body = { signals: { platform: "x", ...signals } };
  return (await visit(local, body, { headers })).event;
};

describe("bot signals", () => {
  /** User agents, what they are, and the category, the name and the provider of the bot. */
  const BOTS = `
Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) | good | search_engine_crawler | Googlebot | google.com
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot) | good | ai_crawler | GPTBot | openai.com
Googlebot/2.1 ClaudeBot/1.0 | good | ai_crawler | ClaudeBot
Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/) | good | search_engine_optimization | AhrefsBot | ahrefs.com
${CHROME.replace("Chrome/", "HeadlessChrome/")} | bad | browser_automation | HeadlessChrome
curl/8.5.0 | bad | other | curl
python-requests/2.32 | bad | other | python-requests
`;

  it.each(cellsOf(BOTS))(
    "of %s are %s",
    async (agent = "", bot, category, name, provider = "unknown") => {
      const event = await eventFrom(agent);
      const who = { category, name, provider };
      expect(event).toMatchObject({
        ...{ bot, bot_type: name },
        bot_info: { ...who, identity: "unknown", confidence: "low" },
        suspect_score: bot === "bad" ? 20 : 0,
      });
    },
  );

  it("report an automated browser by its own signal", async () => {
    const driven = await eventFrom(CHROME, { webdriver: true });
    expect(driven).toMatchObject({ bot: "bad", bot_type: "webdriver" });
    expect(driven).not.toHaveProperty("bot_info");
    const usual = await eventFrom(CHROME, { webdriver: false });
    expect(usual.bot).toBe("not_detected");
    expect(usual).not.toHaveProperty("bot_type");
    const text = await eventFrom(CHROME, { webdriver: "true" });
    expect(text.bot).toBe("not_detected");
  });

  it("are found in user agents of any length", async () => {
    const started = performance.now();
    const event = await eventFrom(`${"a".repeat(12_000)} Googlebot/2.1`);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(event.bot).toBe("not_detected");
  });
});

describe("the browser details", () => {
  const BROWSERS = `
Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1
  Safari | 17 | 17.4 | iOS | 17.4 | iPhone
Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0
  Firefox | 133 | 133.0 | Linux | | Other
Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.39 Mobile Safari/537.36
  Chrome | 131 | 131.0.6778.39 | Android | 14 | Other
`;

  it.each(rowsOf(BROWSERS))("are found in %s", async (agent = "", row = "") => {
    const { browser_details: found } = await eventFrom(agent);
    const { browser_name, browser_major_version, browser_full_version } =
      found ?? {};
    const browser = [browser_name, browser_major_version, browser_full_version];
    const device = [found?.os, found?.os_version, found?.device];
    expect([[...browser, ...device]]).toEqual(cellsOf(row));
  });

  it("are absent for a text that is not a browser's user agent", async () => {
    for (const agent of ["hello", "🙂".repeat(9), "a".repeat(9_000)]) {
      const event = await eventFrom(encodeURI(agent));
      expect(event).not.toHaveProperty("browser_details");
    }
  });
});

describe("POST /_local/identify", () => {
  const call = (body: object) =>
    local.controlCall("POST", "/identify/us", {
      body: { publicKey: local.service.workspaces.us.publicKey, ...body },
    });

  it("identifies an app, with the data that its SDK would send", async () => {
    const sdk = { platform: "android", version: "2.8.0" };
    const signals = { device_model: "Pixel 8", battery_level: 40 };
    const given = {
      ...{ package_name: "com.acme.shop", os: "Android", emulator: true },
      ...{ root_apps: false, factory_reset_timestamp: 0 },
    };
    const answer = await call({
      ...{ sdk, signals, event: given, ip: "2001:db8::7" },
      headers: { "user-agent": "okhttp/4.12.0" },
      linkedId: "user-1",
      tag: { screen: "login" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ suspect_score: 8 });
    const event = await eventOf(local, answer);
    expect(event).toMatchObject({
      ...{ sdk, ...given, linked_id: "user-1", tags: { screen: "login" } },
      ip_address: "2001:db8::7",
      ip_info: { v6: { address: "2001:db8::7" } },
      raw_device_attributes: signals,
    });
    for (const member of ["url", "origin", "bot", "browser_details"])
      expect(event).not.toHaveProperty(member);
    const again = await call({
      sdk: { platform: "android", version: "2.9.0" },
      signals: { device_model: "Pixel 8", battery_level: 10 },
    });
    const { visitor_id } = answer.body as { visitor_id: string };
    expect(again.body).toMatchObject({ visitor_id });
  });

  it("applies the rules to the app", async () => {
    const expression =
      "sdk.platform.is_ios && sdk.platform.app_package_name != 'com.acme'";
    await local.enforce([{ name: "only ours", expression, action: "deny" }]);
    const sdk = { platform: "ios", version: "2.0.0" };
    const signals = { device_model: "iPhone15,2" };
    const from = (bundle_id: string) =>
      call({ sdk, signals, event: { bundle_id } });
    expect((await from("com.acme")).status).toBe(200);
    const refused = await from("com.other");
    expect(refused.refusal).toEqual([403, "forbidden"]);
  });

  it("wraps a simple tag like an agent", async () => {
    for (const tag of ["login", "", 7, false]) {
      const answer = await call({ tag });
      expect(answer.status).toBe(200);
      expect((await eventOf(local, answer)).tags).toEqual({ tag });
    }
    const long = await call({ tag: "x".repeat(16_380) });
    expect(long.violation).toEqual([400, ["tag"]]);
    expect((await call({ tag: ["a"] })).status).toBe(400);
  });

  it("accepts headers in any spelling, and refuses unknown members", async () => {
    const { body } = await call({
      headers: { "uSER-agent": ["curl/8"], ORIGIN: "https://a.example" },
      url: "https://shop.example/",
      clientReferrer: "https://b.example/",
    });
    const { event_id } = body as { event_id: string };
    expect(await local.event(event_id)).toMatchObject({
      origin: "https://a.example",
      bot: "bad",
      client_referrer: "https://b.example/",
      sdk: { platform: "js" },
    });
    for (const [change, property] of [
      [{ ip: "localhost" }, "ip"],
      [{ event: { event_id: "1.a" } }, "event.event_id"],
      [{ event: { emulator: "yes" } }, "event.emulator"],
      [{ linked_id: "a" }, "linked_id"],
      [{ publicKey: undefined }, "publicKey"],
    ] as const) {
      expect((await call(change)).violation).toEqual([400, [property]]);
    }
  });

  it("requires a public key of the region", async () => {
    for (const [publicKey, code] of [
      ["unknown", "public_api_key_not_found"],
      [local.service.workspaces.us.secretKey, "public_api_key_not_found"],
      [local.service.workspaces.eu.publicKey, "wrong_region"],
    ]) {
      expect((await call({ publicKey })).refusal).toEqual([403, code]);
    }
  });
});
