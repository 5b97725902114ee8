// @module-tag chromium
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { StartOptions } from "../../service/agent/options";
import { LocalWorkspace } from "../helpers/local-workspace";
import type { Outcome } from "./agent-site";
import { json } from "../sdk/http/plain-server";
import { shopFixture } from "./shop-fixture";
import { openForTests } from "../helpers/open-for-tests";

/** Imports the script from an address and calls `get()`, like a page. */
async function getFromScript(
  page: Page,
  script: string,
  options: StartOptions = {},
): Promise<Outcome> {
  // A text, because the test's compiler would change an import within a function.
  return page.evaluate(`(async () => {
    const { start, isFingerprintError } = await import(${JSON.stringify(script)});
    try {
      const result = await start(${JSON.stringify(options)}).get();
      return { result: JSON.parse(JSON.stringify(result)) };
    } catch (error) {
      const { code, event_id, message } = error;
      return { error: { code, event_id, message, isKnown: isFingerprintError(error) } };
    }
  })()`);
}

describe("the script from the service", () => {
  const shop = shopFixture();
  const local = openForTests(new LocalWorkspace());
  beforeEach(() => shop.page.goto(shop.site.url));

  const script = (region: "us" | "eu" = "us", key = `local-public-${region}`) =>
    `${local.url}/${region}/web/v4/${key}`;
  const visitorOf = async (page: Page) => {
    const { result } = await getFromScript(page, script());
    expect(result?.visitor_id).toMatch(/^\w{20}$/);
    return result?.visitor_id;
  };

  // contract: agent-1
  it("needs no options, because its address has the key and the service", async () => {
    const { result } = await getFromScript(shop.page, script("eu"));
    expect(await local.event(result?.event_id, "eu")).toMatchObject({
      event_id: result?.event_id,
      url: `${shop.site.url}/`,
      origin: shop.site.url,
      identification: { visitor_id: result?.visitor_id },
      sdk: { platform: "js", version: "0.1.0" },
    });
  });

  it("recognises the visitor by signals after storage was cleared", async () => {
    const visitor = await visitorOf(shop.page);
    await shop.context.clearCookies();
    await shop.page.evaluate(() => localStorage.clear());
    expect(await visitorOf(shop.page)).toBe(visitor);
  });

  it("uses a given key, and reports an unknown key", async () => {
    const byScript = await getFromScript(shop.page, script("us", "unknown"));
    expect(byScript.error).toMatchObject({
      code: "public_api_key_not_found",
      event_id: expect.any(String) as string,
      isKnown: true,
    });
    const given = await getFromScript(shop.page, script("us", "unknown"), {
      apiKey: "local-public-us",
    });
    expect(given.result).toHaveProperty("event_id");
  });

  // contract: agent-4
  it("sends to a proxy that names the region, otherwise to its own service", async () => {
    shop.service.respond((response) => json(response, 502, {}));
    const { result } = await getFromScript(shop.page, script(), {
      endpoints: `${shop.service.endpoint}/id?region=eu`,
    });
    expect(shop.service.posted().map(({ path }) => path)).toEqual([
      "/id/web/v4/local-public-us?region=eu",
    ]);
    expect(result).toHaveProperty("event_id");
  });
});
