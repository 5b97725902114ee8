// @module-tag chromium
import type { Event } from "@devid/sdk";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  eventAsRuleRequest,
  UNKNOWN,
  type RuleRequest,
} from "../../rules/src/language";
import { botFlags } from "../../rules/src/language/request/bot-flags";
import {
  HEADERS_OF_EVENT,
  MEMBERS_OF_EVENT,
} from "../../rules/src/language/request/event-fields";
import { decisionsOf } from "../service/identification/identify-calls";
import { LocalWorkspace } from "../helpers/local-workspace";
import type { PlainServer } from "../sdk/http/plain-server";
import { agentSite, getOnce, only, openShop, SCRIPT } from "./agent-site";
import { shopFixture } from "./shop-fixture";
import { openForTests } from "../helpers/open-for-tests";

/** The request on which the service decided, and the event that it stored. */
interface Identified {
  readonly request: RuleRequest;
  readonly event: Event;
}

describe("the rule request made from an event equals the request that the rules saw", () => {
  const shop = shopFixture({ locale: "de-DE" });
  const local = openForTests(new LocalWorkspace());
  let other: PlainServer;
  beforeAll(async () => {
    // The vendor's loader refuses a sandboxed frame.
    other = await agentSite(undefined, SCRIPT);
  });
  afterAll(() => other.close());

  /** Identifies the visitor of a page, and returns the request that the service saw. */
  async function identified(
    page: Page | Frame,
    start = {},
  ): Promise<Identified> {
    const { result, error } = await getOnce(page, {
      apiKey: "local-public-us",
      endpoints: only(`${local.url}/us`),
      ...start,
    });
    expect(error).toBeUndefined();
    const id = result?.event_id ?? "";
    const decisions = await decisionsOf(local);
    const decision = decisions.find(({ event_id }) => event_id === id);
    return {
      request: decision?.["request"] as RuleRequest,
      event: (await local.event(id)) as unknown as Event,
    };
  }

  /**
   * Compares every row of the table. Returns the names of the rows for which the event
   * has a value.
   */
  function rowsWithValues({ request, event }: Identified): string[] {
    const known = eventAsRuleRequest(event);
    const whole = {
      appPackageName: "",
      ...botFlags(request.userAgent),
      ...request,
    };
    const headers = Object.keys(HEADERS_OF_EVENT).filter((name) => {
      if (known.headers === UNKNOWN || !(name in known.headers)) return false;
      const { [name]: values } = known.headers as Record<string, unknown>;
      expect([name, values]).toEqual([name, request.headers[name]]);
      return true;
    });
    const members = Object.keys(MEMBERS_OF_EVENT).filter((name) => {
      const member = name as keyof typeof MEMBERS_OF_EVENT;
      if (known[member] === UNKNOWN) return false;
      expect([name, known[member]]).toEqual([name, whole[member]]);
      return true;
    });
    return [...headers, ...members];
  }

  const MEMBERS = Object.keys(MEMBERS_OF_EVENT);
  const ALL = ["Origin", "User-Agent", ...MEMBERS];

  async function framed(url: string, sandbox: boolean): Promise<Frame> {
    await shop.open();
    await shop.page.evaluate(
      ([url, sandbox]) => {
        const frame = document.createElement("iframe");
        if (sandbox) frame.setAttribute("sandbox", "allow-scripts");
        frame.src = url;
        document.body.append(frame);
      },
      [url, sandbox] as const,
    );
    await expect.poll(() => shop.page.frames().length).toBe(2);
    const frame = shop.page.frames()[1] ?? expect.fail("no frame");
    await frame.waitForFunction(() => "devid" in window);
    return frame;
  }

  it("on a page", async () => {
    await shop.open("/basket");
    const found = await identified(shop.page);
    expect(rowsWithValues(found)).toEqual(ALL);
    expect(found.request.headers["Accept-Language"]).toEqual(["de-DE"]);
  });

  it("on a page with a previous page, which is not the Referer header", async () => {
    await shop.open("/first");
    await shop.page.evaluate(() => (location.href = "/second"));
    await shop.page.waitForURL(/second/);
    await shop.page.waitForFunction(() => "devid" in window);
    const found = await identified(shop.page);
    expect(rowsWithValues(found)).toEqual(ALL);
    expect(found.event.client_referrer).toBe(`${shop.site.url}/first`);
    const referer = [`${shop.site.url}/second`];
    expect(found.request.headers["Referer"]).toEqual(referer);
  });

  it("on a page whose address is hashed", async () => {
    await shop.open("/token?secret=1");
    const urlHashing = { path: true, query: true, fragment: true };
    const found = await identified(shop.page, { urlHashing });
    expect(rowsWithValues(found)).toEqual(ALL);
  });

  it("on a page whose script pretends to be another browser", async () => {
    await shop.page.addInitScript(() => {
      for (const [name, value] of [
        ["userAgent", "Googlebot/2.1"],
        ["language", "xx"],
      ] as const)
        Object.defineProperty(Navigator.prototype, name, { get: () => value });
    });
    await shop.open();
    const found = await identified(shop.page);
    expect(rowsWithValues(found)).toEqual(ALL);
    expect(found.event.user_agent).not.toContain("Googlebot");
  });

  it("from a crawler", async () => {
    const context = await shop.browser.newContext({
      userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)",
    });
    const page = await context.newPage();
    await openShop(page, shop.site.url);
    const found = await identified(page);
    expect(rowsWithValues(found)).toEqual(ALL);
    expect(eventAsRuleRequest(found.event).isCrawlerBot).toBe(true);
    await context.close();
  });

  it("in a frame of another site, with the frame's origin", async () => {
    const found = await identified(await framed(`${other.url}/form`, false));
    expect(rowsWithValues(found)).toEqual(ALL);
    expect(found.event.origin).toBe(other.url);
  });

  it("in a sandboxed frame, whose origin for the rules is null", async () => {
    const found = await identified(await framed(`${other.url}/form`, true));
    expect(rowsWithValues(found)).toEqual(
      ALL.filter((name) => name !== "Origin"),
    );
    expect(found.request.headers["Origin"]).toEqual(["null"]);
    expect(found.event.url).toBe(`${other.url}/form`);
  });
});
