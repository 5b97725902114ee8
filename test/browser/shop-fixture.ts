import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { launchBrowser } from "../helpers/browser";
import type { GetOptions } from "../../service/agent/options";
import type { PlainServer } from "../sdk/http/plain-server";
import { agentSite, getOnce, only, openShop } from "./agent-site";
import {
  identificationServer,
  type IdentificationServer,
} from "./identification-server";

/** What tests of the agent work with; see `shopFixture`. */
export interface ShopFixture {
  /** The browser, shared by the suite. */
  readonly browser: Browser;
  readonly site: PlainServer;
  /** A new context for each test, with empty storage. */
  readonly context: BrowserContext;
  readonly page: Page;
  readonly service: IdentificationServer;
  /** Options of an agent that sends to the identification server alone. */
  options(): { apiKey: string; endpoints: ReturnType<typeof only> };
  /** Starts an agent with these options, too, and calls `get()` once. */
  get(options?: object, call?: GetOptions): ReturnType<typeof getOnce>;
  /** Opens a page of the site, and waits for the agent. */
  open(path?: string): Promise<void>;
}

/** Sets up a browser, a site and an identification server for each test of a suite. */
export function shopFixture(
  settings: Parameters<Browser["newContext"]>[0] = {},
): ShopFixture {
  const fixture = {
    options: () => ({
      apiKey: "key",
      endpoints: only(fixture.service.endpoint),
    }),
    get: (options, call) =>
      getOnce(fixture.page, { ...fixture.options(), ...options }, call),
    open: (path = "") => openShop(fixture.page, fixture.site.url + path),
  } as { -readonly [Name in keyof ShopFixture]: ShopFixture[Name] };
  beforeAll(async () => {
    fixture.browser = await launchBrowser();
    fixture.site = await agentSite();
    return async () => {
      await fixture.browser.close();
      await fixture.site.close();
    };
  });
  beforeEach(async () => {
    fixture.service = await identificationServer();
    fixture.context = await fixture.browser.newContext(settings);
    fixture.page = await fixture.context.newPage();
  });
  afterEach(async () => {
    await fixture.context.close();
    await fixture.service.close();
  });
  return fixture;
}
