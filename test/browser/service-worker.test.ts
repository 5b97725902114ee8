// @module-tag chromium
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../helpers/browser";
import { bundled, RECEIVE } from "../sdk/bundle-for-web";
import { plainServer, type PlainServer } from "../sdk/http/plain-server";

let browser: Browser;
let site: PlainServer;
beforeAll(async () => {
  const worker = await bundled(`${RECEIVE}
    self.addEventListener("message", async ({ source }) =>
      source.postMessage(await answer));`);
  site = await plainServer(({ path }, response) => {
    const isWorker = path === "/worker.js";
    response.setHeader(
      "content-type",
      isWorker ? "text/javascript" : "text/html",
    );
    response.end(isWorker ? worker : "<!doctype html><title>Receiver</title>");
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it("a service worker verifies and parses a webhook", async () => {
  const page = await browser.newPage();
  await page.goto(site.url);
  const answer = await page.evaluate(`(async () => {
    await navigator.serviceWorker.register("/worker.js", { type: "module" });
    const { active } = await navigator.serviceWorker.ready;
    return new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data));
      active.postMessage("receive");
    });
  })()`);
  expect(answer).toEqual({ id: "1.a", problem: "unsigned" });
});
