import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import type { Outcome } from "./agent-site";
import { shopFixture } from "./shop-fixture";

/**
 * What the vendor's npm package does in a page: it imports the script of an
 * endpoint, trying again with a growing delay, and hands the options over.
 * Told as a text, because the test's compiler would change an import in a
 * function.
 */
const LOADER = `
async function load({ apiKey, ...options }) {
  const { endpoints } = options;
  const list = [endpoints?.value ?? endpoints].flat();
  const attempts = [];
  for (let tries = 0; tries < 5; tries++) {
    const url = list[tries % list.length] + "/web/v4/" + apiKey + "?ci=jsl/4.1.5";
    try {
      const agent = await import(url);
      return await agent.start({
        ...options,
        externalABSelections: {},
        ldi: { attempts, visibilityStates: [document.visibilityState] },
      });
    } catch (error) {
      if (error.name === "FingerprintError") throw error;
      attempts.push({ url, error: String(error) });
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tries));
    }
  }
  throw new Error("script_load_fail");
}`;

/** Runs the loader in a page or frame and calls `get()`; the error has the members of the published type. */
const visit = (options: object, call: object = {}) => `(async () => {
    ${LOADER}
    try {
      const agent = await load(${JSON.stringify(options)});
      const result = await agent.get(${JSON.stringify(call)});
      return {
        result: JSON.parse(JSON.stringify(result)),
        sealed: result.sealed_result && "" + result.sealed_result,
        collected: typeof (await agent.collect(${JSON.stringify(call)})),
      };
    } catch (error) {
      const { name, code, event_id, message } = error;
      return { error: { name, code, event_id, message } };
    }
  })()`;

describe("a page of production, with the vendor's loader", () => {
  const shop = shopFixture();
  let local: LocalWorkspace;
  beforeAll(async () => {
    local = await LocalWorkspace.start();
  });
  afterAll(() => local.close());
  beforeEach(() => shop.page.goto(`${shop.site.url}/cart?token=secret`));

  const options = () => ({
    apiKey: "local-public-us",
    endpoints: [`${local.url}/us`],
    region: "us",
  });
  const load = (page: Page, more: object = {}, call: object = {}) =>
    page.evaluate<Outcome & { sealed: string | null; collected: string }>(
      visit({ ...options(), ...more }, call),
    );
  const eventOf = async ({ result }: Outcome) => {
    const answer = await fetch(
      `${local.url}/us/v4/events/${result?.event_id}`,
      { headers: { authorization: "Bearer local-secret-us" } },
    );
    return (await answer.json()) as Record<string, unknown>;
  };

  it("hashes URLs, keeps results and names the loader and its frameworks", async () => {
    const more = {
      urlHashing: { query: true },
      cache: {
        storage: "sessionStorage",
        duration: "optimize-cost",
        cachePrefix: "shop_",
      },
      integrationInfo: ["react-sdk/3.2.0/react/19.3.1"],
    };
    const first = await load(shop.page, more, { tag: null, linkedId: "u-1" });
    expect(first).toMatchObject({
      result: { cache_hit: false },
      collected: "string",
    });
    expect(await eventOf(first)).toMatchObject({
      url: `${shop.site.url}/cart?E1kifZXhuoBEZ_zkQa60jyxcaHNX3QFaydaaIEtL7j0`,
      linked_id: "u-1",
      sdk: {
        platform: "js",
        version: "4.1.5",
        integrations: [
          {
            name: "react-sdk",
            version: "3.2.0",
            subintegration: { name: "react", version: "19.3.1" },
          },
        ],
      },
    });
    const again = await load(shop.page, more);
    expect(again.result).toEqual({ ...first.result, cache_hit: true });
    const names = await shop.page.evaluate(() => [
      Object.keys(localStorage),
      Object.keys(sessionStorage).map((name) => name.split(" ")[0]),
      document.cookie.split("=")[0],
    ]);
    expect(names).toEqual([["_vid_t"], ["shop_cache"], "_vid_t"]);
  });

  it("takes options that switch nothing on", async () => {
    const { result } = await load(shop.page, { cache: false, urlHashing: {} });
    expect(result).toHaveProperty("event_id");
    expect(result).not.toHaveProperty("cache_hit");
  });

  it("leaves out what our agent does not know, with a warning", async () => {
    const warnings: string[] = [];
    shop.page.on("console", (message) => warnings.push(message.text()));
    const { result } = await load(
      shop.page,
      { debug: true, integrationInfo: "react" },
      { timeout: -1, extendedResult: true },
    );
    expect(result).toHaveProperty("event_id");
    for (const name of ["debug", "integrationInfo", "timeout"])
      expect(warnings.join("\n")).toContain(`The option ${name} is left out`);
  });

  it("tries again when the script cannot be loaded", async () => {
    await local.fault({
      match: { surface: "agent", method: "GET" },
      times: 1,
      then: { status: 503 },
    });
    expect((await load(shop.page)).result).toHaveProperty("event_id");
  });

  it("gets published codes and an event ID for a wrong key and a denied request", async () => {
    const wrong = await load(shop.page, { apiKey: "unknown" });
    expect(wrong.error).toMatchObject({
      name: "FingerprintError",
      code: "public_api_key_not_found",
      event_id: expect.stringMatching(/^\d+\.\w+$/) as string,
    });
    const rules = (rules: object[]) =>
      local.call("POST", "/filtering-rules/bulk", { mode: "overwrite", rules });
    await rules([
      {
        name: "nobody",
        expression: "true",
        action: "deny",
        status: "enabled",
        deny_with: "Forbidden",
      },
    ]);
    const denied = await load(shop.page);
    await rules([]);
    expect(denied.error).toMatchObject({
      code: "subscription_not_active",
      event_id: expect.stringMatching(/^\d+\.\w+$/) as string,
      message: expect.stringContaining("Forbidden") as string,
    });
  });

  it("is told when its cache or its frame is unfit", async () => {
    const cache = { storage: "agent", duration: 43_201 };
    expect((await load(shop.page, { cache })).error?.code).toBe(
      "cache_misconfigured",
    );
    const outcome = await shop.page.evaluate(
      (code) =>
        new Promise((resolve) => {
          addEventListener("message", ({ data }) => resolve(data));
          const frame = document.createElement("iframe");
          frame.sandbox.add("allow-scripts");
          frame.srcdoc = `<script type="module">
            parent.postMessage(await ${code}, "*");
          </script>`;
          document.body.append(frame);
        }),
      visit(options()),
    );
    expect(outcome).toMatchObject({
      error: { code: "sandboxed_iframe", event_id: null },
    });
  });
});
