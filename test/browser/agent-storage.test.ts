// @module-tag chromium
import type { Frame, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer } from "./identification-server";
import { shopFixture } from "./shop-fixture";

describe("the ID that the agent stores in the browser", () => {
  const shop = shopFixture();
  const identify = async () => {
    await shop.open();
    await shop.get();
    return shop.service.lastBody().storage_id;
  };
  const kept = (page: Page | Frame) =>
    page.evaluate(() => ({
      cookie: document.cookie,
      local: { ...localStorage },
      session: { ...sessionStorage },
    }));

  // contract: agent-6, agent-11
  it("comes from the service, and is stored as _vid_t in a cookie and in local storage", async () => {
    expect(await identify()).toBeUndefined();
    expect(await kept(shop.page)).toEqual({
      cookie: "_vid_t=stored-0",
      local: { _vid_t: "stored-0" },
      session: {},
    });
    const [cookie] = await shop.context.cookies();
    expect(cookie).toMatchObject({
      path: "/",
      sameSite: "Lax",
      secure: false,
      domain: "127.0.0.1",
    });
    const days = (Number(cookie?.expires) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(399);
    expect(await identify()).toBe("stored-0");
  });

  it("is found in either store, and copied to the other store", async () => {
    await identify();
    await shop.context.clearCookies();
    expect(await identify()).toBe("stored-0");
    expect((await kept(shop.page)).cookie).toBe("_vid_t=stored-0");
    await shop.page.evaluate(() => localStorage.clear());
    expect(await identify()).toBe("stored-0");
    expect((await kept(shop.page)).local).toEqual({ _vid_t: "stored-0" });
  });

  it("is replaced by the latest ID from the service", async () => {
    await identify();
    shop.service.respond((response) =>
      answer(response, { storage_id: "another" }),
    );
    await identify();
    expect((await kept(shop.page)).local).toEqual({ _vid_t: "another" });
    expect(await identify()).toBe("another");
  });

  // contract: agent-6
  it("is stored under a given prefix with any characters", async () => {
    const storageKeyPrefix = "my; id=ü ";
    await shop.open();
    await shop.get({ storageKeyPrefix });
    expect(await kept(shop.page)).toMatchObject({
      cookie: `${encodeURIComponent(`${storageKeyPrefix}t`)}=stored-0`,
      local: { [`${storageKeyPrefix}t`]: "stored-0" },
    });
    await shop.page.evaluate(() => localStorage.clear());
    await shop.get({ storageKeyPrefix });
    expect(shop.service.lastBody().storage_id).toBe("stored-0");
    expect(await identify()).toBeUndefined();
  });

  it.each(["", "x".repeat(65), "<script>", "a b"])(
    "is not sent if the page has replaced it by %j",
    async (text) => {
      await shop.open();
      await shop.page.evaluate((text) => {
        document.cookie = `_vid_t=${encodeURIComponent(text)}`;
        localStorage.setItem("_vid_t", text);
      }, text);
      await shop.get();
      expect(shop.service.lastBody().storage_id).toBeUndefined();
    },
  );

  it("is not stored after a failed request", async () => {
    shop.service.respond((response) => response.writeHead(403).end());
    await identify();
    expect(await kept(shop.page)).toEqual({
      cookie: "",
      local: {},
      session: {},
    });
  });

  it("is not stored in a sandboxed frame without storage", async () => {
    await shop.open();
    const outcome = await shop.page.evaluate(
      ({ site, options }) =>
        new Promise((resolve) => {
          addEventListener("message", ({ data }) => resolve(data));
          const frame = document.createElement("iframe");
          frame.sandbox.add("allow-scripts");
          frame.srcdoc = `<script type="module">
            import { start } from "${site}/web/v4/key";
            start(${JSON.stringify(options)}).get().then(
              (result) => parent.postMessage(JSON.stringify(result), "*"),
              (error) => parent.postMessage(error.message, "*"),
            );
          </script>`;
          document.body.append(frame);
        }),
      { site: shop.site.url, options: shop.options() },
    );
    expect(outcome).toBe(
      '{"event_id":"event-1","visitor_id":"visitor","sealed_result":null}',
    );
    const { url, storage_id, signals } = shop.service.lastBody();
    expect({ url, storage_id }).toEqual({
      url: "about:srcdoc",
      storage_id: undefined,
    });
    expect(signals).not.toHaveProperty("local_storage");
    expect(signals).toHaveProperty("canvas");
  });
});
