// @module-tag chromium
import { describe, expect, it } from "vitest";
import type { CacheOptions } from "../../service/agent/options";
import { only } from "./agent-site";
import { answer } from "./identification-server";
import { shopFixture } from "./shop-fixture";

describe("the agent's cache", () => {
  const shop = shopFixture();
  const get = async (cache: CacheOptions, more: object = {}) =>
    (await shop.get({ cache, ...more })).result;
  const cache = { storage: "localStorage", duration: 60 } as const;

  // contract: agent-24, agent-26
  it("is separate for each key, endpoint and prefix", async () => {
    await shop.open();
    expect(await get(cache)).toHaveProperty("cache_hit", false);
    const another = await get(cache, { apiKey: "another" });
    expect(another).toHaveProperty("cache_hit", false);
    const prefixed = { ...cache, cachePrefix: "shop:" };
    expect(await get(prefixed)).toHaveProperty("cache_hit", false);
    const endpoints = only(`${shop.service.endpoint}/elsewhere`);
    expect(await get(cache, { endpoints })).toHaveProperty("cache_hit", false);
    expect(await get(cache)).toHaveProperty("cache_hit", true);
    expect(await get(prefixed)).toHaveProperty("cache_hit", true);
    const names = await shop.page.evaluate(() => Object.keys(localStorage));
    const name = `cache ${shop.service.endpoint}/web/v4/key`;
    expect(names).toEqual(
      expect.arrayContaining([`_vid_${name}`, `shop:${name}`, "_vid_t"]),
    );
  });

  // contract: agent-26
  it("does not keep failures", async () => {
    await shop.open();
    shop.service.respond((response) => response.writeHead(503).end());
    expect(await get(cache)).toBeUndefined();
    shop.service.respond((response) => answer(response, {}));
    expect(await get(cache)).toHaveProperty("cache_hit", false);
  });

  it("refuses wrong options even if it has a result", async () => {
    await shop.open();
    await get(cache);
    const linkedId = "x".repeat(257);
    const { error } = await shop.get({ cache }, { linkedId });
    expect(error).toHaveProperty("code", "request_cannot_be_parsed");
  });
});
