// @module-tag chromium
import type { BrowserContext, Page } from "playwright-core";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { launchProfile } from "../helpers/browser";
import { LocalWorkspace } from "../helpers/local-workspace";
import { searchPage, sendEvents } from "../service/server-api/event-calls";
import type { PlainServer } from "../sdk/http/plain-server";
import { agentSite, getOnce, only, openShop } from "./agent-site";
import { openForTests } from "../helpers/open-for-tests";

describe("the visitor of a browser", () => {
  const local = openForTests(new LocalWorkspace());
  let site: PlainServer;
  let browser: BrowserContext;
  beforeAll(async () => {
    site = await agentSite();
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    await local.reset();
    browser = await launchProfile();
  });
  afterEach(() => browser.close());

  const open = async (
    url = site.url,
    window: BrowserContext = browser,
  ): Promise<Page> => {
    const page = await window.newPage();
    await openShop(page, url);
    return page;
  };
  const visitorAt = async (page: Page) => {
    const { result, error } = await getOnce(page, {
      apiKey: "local-public-us",
      endpoints: only(`${local.url}/us`),
    });
    expect(error).toBeUndefined();
    return result?.visitor_id;
  };
  const stored = (page: Page) =>
    page.evaluate(() => localStorage.getItem("_vid_t"));
  const visits = async () => {
    const { events } = await searchPage(sendEvents(local));
    return events.map(({ identification }) => identification);
  };
  const privateWindow = async () => {
    const window = await browser.browser()?.newContext({ viewport: null });
    if (!window) throw new Error("The browser has no private windows.");
    return window;
  };

  it("is the same in several tabs whose first visits are simultaneous", async () => {
    const tabs = [await open(), await open(), await open()];
    const visitors = await Promise.all(tabs.map(visitorAt));
    expect(new Set(visitors).size).toBe(1);
    expect(
      (await visits()).filter((visit) => !visit?.visitor_found),
    ).toHaveLength(1);
    expect(new Set(await Promise.all(tabs.map(stored))).size).toBe(1);
  });

  it("is the same on another origin, which has its own storage", async () => {
    const here = await open();
    const there = await open(site.url.replace("127.0.0.1", "localhost"));
    const visitor = await visitorAt(here);
    expect(await stored(there)).toBeNull();
    expect(await visitorAt(there)).toBe(visitor);
  });

  it("is the same in a private window, which stores nothing", async () => {
    const visitor = await visitorAt(await open());
    for (let round = 0; round < 2; round++) {
      const window = await privateWindow();
      const page = await open(site.url, window);
      expect(await stored(page)).toBeNull();
      expect(await visitorAt(page)).toBe(visitor);
      await window.close();
    }
  });

  it("is the same in a private window with fewer languages", async () => {
    const setLanguages = (page: Page, languages: string[]) =>
      page.addInitScript((values) => {
        Object.defineProperty(Navigator.prototype, "languages", {
          get: () => values,
        });
      }, languages);
    const page = await open();
    await setLanguages(page, ["en-US", "en", "de"]);
    await page.reload();
    const visitor = await visitorAt(page);
    const inside = await open(site.url, await privateWindow());
    await setLanguages(inside, ["en-US"]);
    await inside.reload();
    expect(await visitorAt(inside)).toBe(visitor);
  });
});
