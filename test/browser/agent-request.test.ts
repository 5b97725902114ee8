// @module-tag chromium
import { describe, expect, it } from "vitest";
import { getOnce, LOADER_VERSION, only, openShop } from "./agent-site";
import { answer } from "./identification-server";
import { shopFixture } from "./shop-fixture";

describe("the request of the agent", () => {
  const shop = shopFixture({ locale: "de-DE", timezoneId: "Europe/Lisbon" });

  // contract: agent-33
  it("has the form of the wire schema, and its answer is returned", async () => {
    await shop.open("/basket?item=1#top");
    const { result } = await getOnce(
      shop.page,
      { ...shop.options(), integrationInfo: ["react/19.0.0", "next"] },
      { linkedId: "user-1", tag: { plan: "free", items: [1] } },
    );
    expect(result).toStrictEqual({
      event_id: "event-1",
      visitor_id: "visitor",
      sealed_result: null,
    });
    const { signals, ...rest } = shop.service.lastBody();
    expect(rest).toStrictEqual({
      sdk: {
        platform: "js",
        version: LOADER_VERSION,
        integrations: [{ name: "react", version: "19.0.0" }, { name: "next" }],
      },
      url: `${shop.site.url}/basket?item=1#top`,
      linked_id: "user-1",
      tag: { plan: "free", items: [1] },
      timezone: "Europe/Lisbon",
    });
    expect(signals).toMatchObject({
      date_time_locale: "de-DE",
      languages: [["de-DE"], ["de-DE"]],
      webdriver: true,
      cookies_enabled: true,
      canvas: { winding: true },
    });
  });

  // contract: agent-46
  it("goes to {endpoint}/web/v4/{apiKey} as JSON, without cookies", async () => {
    await shop.open();
    await shop.context.addCookies([
      { name: "session", value: "1", url: shop.service.endpoint },
    ]);
    await getOnce(shop.page, {
      apiKey: "key",
      endpoints: only(`${shop.service.endpoint}/eu/?region=eu`),
    });
    const [sent] = shop.service.posted();
    expect(sent?.path).toBe("/eu/web/v4/key?region=eu");
    expect(sent?.headers["content-type"]).toBe("application/json");
    expect(sent?.headers.cookie).toBeUndefined();
  });

  // contract: agent-18
  it("hashes the page, the previous page and the Referer header", async () => {
    await shop.open("/token?secret=1");
    await shop.page.evaluate(
      () => (location.href = "/token?b=secret&a=2#secret"),
    );
    await shop.page.waitForURL(/b=secret/);
    await shop.page.waitForFunction(() => "devid" in window);
    const urlHashing = { path: true, query: true, fragment: true };
    await shop.get({ urlHashing });
    const hash = "[A-Za-z0-9_-]{43}";
    const { url, client_referrer } = shop.service.lastBody();
    expect(url).toMatch(RegExp(`^${shop.site.url}/${hash}\\?${hash}#${hash}$`));
    expect(client_referrer).toMatch(
      RegExp(`^${shop.site.url}/${hash}\\?${hash}$`),
    );
    const [sent] = shop.service.posted();
    expect(sent?.headers.referer).toBe(`${shop.site.url}/`);
    expect(JSON.stringify(sent)).not.toMatch(/token|secret/);
  });

  it("has the same signals on each call, and in a fresh browser", async () => {
    const signals = [];
    for (let i = 0; i < 2; i++) {
      const fresh = await (await shop.browser.newContext()).newPage();
      await openShop(fresh, shop.site.url);
      for (let j = 0; j < 2; j++) {
        await getOnce(fresh, shop.options());
        signals.push(shop.service.lastBody().signals);
      }
      await fresh.context().close();
    }
    expect(Object.keys(signals[0] ?? {}).length).toBeGreaterThan(12);
    for (const other of signals.slice(1)) expect(other).toEqual(signals[0]);
  });

  it("keeps the page's WebGL context after many calls", async () => {
    await shop.open();
    const isLost = await shop.page.evaluate(async (options) => {
      const gl = document.createElement("canvas").getContext("webgl");
      const agent = window.devid.start(options);
      for (let i = 0; i < 20; i++) await agent.collect();
      return gl?.isContextLost();
    }, shop.options());
    expect(isLost).toBe(false);
  });

  // contract: agent-40
  it("can be sent by the page itself", async () => {
    shop.service.respond((response) => answer(response, { suspect_score: 3 }));
    await shop.open();
    const { sent, result } = await shop.page.evaluate(
      async ({ options, url }) => {
        const agent = window.devid.start(options);
        const sent = await agent.collect({ linkedId: "user-1" });
        const response = await fetch(url, { method: "POST", body: sent });
        return { sent, result: agent.handleAgentData(await response.text()) };
      },
      { options: { apiKey: "key" }, url: shop.service.endpoint },
    );
    expect(shop.service.lastBody()).toMatchObject({ linked_id: "user-1" });
    expect(JSON.parse(sent)).toEqual(shop.service.lastBody());
    expect(result).toEqual({
      event_id: "event",
      visitor_id: "visitor",
      suspect_score: 3,
      sealed_result: null,
    });
    await shop.get();
    expect(shop.service.lastBody().storage_id).toBe("stored");
  });
});
