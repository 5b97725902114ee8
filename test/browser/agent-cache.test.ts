// @module-tag chromium
import { describe, expect, it } from "vitest";
import type { CacheOptions } from "../../service/agent/options";
import { getOnce, only } from "./agent-site";
import { answer } from "./identification-server";
import { shopFixture } from "./shop-fixture";

describe("the agent's cache", () => {
  const shop = shopFixture();
  const options = (cache?: false | CacheOptions, apiKey = "key") => ({
    ...shop.options(),
    apiKey,
    cache,
  });
  const get = async (cache?: false | CacheOptions, apiKey?: string) =>
    (await getOnce(shop.page, options(cache, apiKey))).result;

  // contract: agent-24, agent-26
  it("is separate for each key, endpoint and prefix", async () => {
    await shop.open();
    const cache = { storage: "localStorage", duration: 60 } as const;
    expect(await get(cache)).toHaveProperty("cache_hit", false);
    expect(await get(cache, "another")).toHaveProperty("cache_hit", false);
    const prefixed = { ...cache, cachePrefix: "shop:" };
    expect(await get(prefixed)).toHaveProperty("cache_hit", false);
    const elsewhere = await getOnce(shop.page, {
      ...options(cache),
      endpoints: only(`${shop.service.endpoint}/elsewhere`),
    });
    expect(elsewhere.result).toHaveProperty("cache_hit", false);
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
    const cache = { storage: "localStorage", duration: 60 } as const;
    expect(await get(cache)).toBeUndefined();
    shop.service.respond((response) => answer(response, {}));
    expect(await get(cache)).toHaveProperty("cache_hit", false);
  });

  it("refuses wrong options even if it has a result", async () => {
    await shop.open();
    const cache = { storage: "localStorage", duration: 60 } as const;
    await get(cache);
    const { error } = await getOnce(shop.page, options(cache), {
      linkedId: "x".repeat(257),
    });
    expect(error).toHaveProperty("code", "request_cannot_be_parsed");
  });
});
