// @module-tag chromium
import { unseal } from "@devid/sdk/sealed-results";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { addedLines } from "../helpers/official-clients-page";
import { only, type Outcome } from "./agent-site";
import { shopFixture } from "./shop-fixture";
import { REACT_INTEGRATION, VENDOR_LOADER } from "./vendor-loader";
import { openForTests } from "../helpers/open-for-tests";

/** Runs the loader in a page or frame and calls `get()`; the error has the members of the published type. */
const visit = (options: object, call: object | null = {}) => `(async () => {
    ${VENDOR_LOADER}
    try {
      const agent = start(${JSON.stringify(options)});
      const result = await agent.get(${JSON.stringify(call)});
      return {
        result: JSON.parse(JSON.stringify(result)),
        sealed: result.sealed_result && "" + result.sealed_result,
        collected: await agent.collect(${JSON.stringify(call)}),
      };
    } catch (error) {
      const { name, code, event_id, message } = error;
      return { error: { name, code, event_id, message } };
    }
  })()`;

describe("a production page with the vendor's loader", () => {
  const shop = shopFixture();
  const local = openForTests(new LocalWorkspace());
  beforeEach(() => shop.page.goto(`${shop.site.url}/cart?token=secret`));

  const options = () => ({
    apiKey: "local-public-us",
    endpoints: [`${local.url}/us`],
    region: "us",
  });
  const load = (page: Page, more: object = {}, call: object | null = {}) =>
    page.evaluate<Outcome & { sealed?: string | null; collected?: string }>(
      visit({ ...options(), ...more }, call),
    );

  // contract: agent-8, agent-9, agent-24, agent-47, agent-48
  it("hashes URLs, caches results, and names the loader and its frameworks", async () => {
    const more = {
      urlHashing: { query: true },
      cache: {
        storage: "sessionStorage",
        duration: "optimize-cost",
        cachePrefix: "shop_",
      },
      integrationInfo: [REACT_INTEGRATION],
    };
    const first = await load(shop.page, more, { tag: null, linkedId: "u-1" });
    expect(first).toMatchObject({
      result: { cache_hit: false },
      collected: expect.any(String) as string,
    });
    expect(await local.event(first.result?.event_id)).toMatchObject({
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

  it("works with the endpoints from docs/official-clients.md", async () => {
    for (const client of ["Browser", "React"]) {
      const [line = ""] = addedLines(client, local.url);
      const [, url = ""] = /withoutDefault\("(.*)"\)/.exec(line) ?? [];
      const outcome = await load(shop.page, { endpoints: only(url) });
      expect(outcome.result, line).toHaveProperty("event_id");
    }
  });

  it("accepts an endpoint relative to its page, such as a proxy of the shop", async () => {
    await shop.page.route(`${shop.site.url}/fp/**`, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(`${shop.site.url}/fp`, `${local.url}/us`),
      }),
    );
    const { result } = await load(shop.page, { endpoints: only("/fp") });
    expect(result).toHaveProperty("event_id");
  });

  it("identifies one visitor when two agents start at once, as in React's strict mode", async () => {
    const visits = `Promise.all([${visit(options())}, ${visit(options())}])`;
    const [one, other] = await shop.page.evaluate<Outcome[]>(visits);
    expect(one?.result?.visitor_id).toMatch(/^\w+$/);
    expect(other?.result?.visitor_id).toBe(one?.result?.visitor_id);
    expect(other?.result?.event_id).not.toBe(one?.result?.event_id);
  });

  it("gets a sealed result that the encryption key can open", async () => {
    const [key] = await local.list("encryption-keys");
    const turn = (status: string) =>
      local.call("PATCH", `/encryption-keys/${String(key?.id)}`, { status });
    await turn("enabled");
    const { result, sealed } = await load(shop.page);
    await turn("disabled");
    expect(sealed).toBe(result?.sealed_result);
    const bytes = Buffer.from(sealed ?? "", "base64");
    expect(unseal(bytes, [String(key?.token)])).toMatchObject({
      event_id: result?.event_id,
    });
  });

  // contract: agent-21
  it("accepts options that enable nothing", async () => {
    const { result } = await load(shop.page, { cache: false, urlHashing: {} });
    expect(result).toHaveProperty("event_id");
    expect(result).not.toHaveProperty("cache_hit");
  });

  it("accepts null instead of the options of a call", async () => {
    expect((await load(shop.page, {}, null)).result).toHaveProperty("event_id");
  });

  it("ignores options that our agent does not know, with a warning", async () => {
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

  // contract: agent-46
  it("tries again when the script cannot be loaded", async (context) => {
    // Chromium 147 does not fetch a module again after a failed import; Chromium 156
    // does.
    const version = Number.parseInt(shop.browser.version());
    context.skip(version < 156, "Chromium before 156 keeps a failed import.");
    await local.fault({
      match: { surface: "agent", method: "GET" },
      times: 1,
      then: { status: 503 },
    });
    expect((await load(shop.page)).result).toHaveProperty("event_id");
  });

  // contract: agent-44, agent-50
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

  // contract: agent-43
  it("gets an error for an invalid cache or a sandboxed frame", async () => {
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
