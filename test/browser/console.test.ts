// @module-tag chromium
import type { Browser, Page } from "playwright-core";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import { browserUserAgent, launchBrowser } from "../helpers/browser";
import { addEvents } from "../service/server-api/event-calls";
import { identify, setRules } from "../service/identification/identify-calls";
import { LocalWorkspace } from "../helpers/local-workspace.js";
import { openForTests } from "../helpers/open-for-tests";
import { WebhookReceiver } from "../helpers/webhook-receiver";

const EVIL = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;

let browser: Browser;
let page: Page;
/**
 * Problems that the browser reports: failed scripts, and requests that the policy
 * forbids.
 */
let complaints: string[];

const local = openForTests(new LocalWorkspace());
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await browser.newPage({
    userAgent: browserUserAgent(browser),
    viewport: { width: 1280, height: 900 },
  });
  complaints = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
});
afterEach(async () => {
  await page.close();
  await local.controlCall("POST", "/reset");
});

describe("the console in a browser", () => {
  const open = async (path = "/") => {
    await page.goto(`${local.service.url}${path}`);
  };
  const isLive = () => page.getByText("Live", { exact: true }).waitFor();
  const visits = () => page.locator("#visits tbody tr:not(.below)");

  it("shows new visits without a reload", async () => {
    await open();
    await isLive();
    await page.getByText("No event yet.").waitFor();
    await identify(local);
    await visits().first().waitFor();
    expect(await visits().first().innerText()).toContain("let in");
    await setRules(local, [
      { name: "nobody", expression: "true", action: "deny", status: "enabled" },
    ]);
    await identify(local);
    await page.locator("#visits").getByText("nobody").first().waitFor();
    await page.locator("#rules").getByText("nobody").waitFor();
    expect(await page.locator("#requests").innerText()).toContain(
      "/us/web/v4/",
    );
    expect(complaints).toEqual([]);
  });

  it("works with the keyboard, and keeps open rows and the focus", async () => {
    await addEvents(local, [{ url: "https://shop.example/1" }]);
    await open();
    await isLive();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe(
      "skip",
    );
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (let n = 0; n < 20 && !(await focused())?.startsWith("visit-"); n++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const opened = await focused();
    expect(await page.locator("#visits details[open]").count()).toBe(1);
    await addEvents(local, [{ url: "https://shop.example/2" }]);
    await page.getByText("https://shop.example/2", { exact: true }).waitFor();
    expect(await focused()).toBe(opened);
    expect(await page.locator("#visits details[open]").count()).toBe(1);
    expect(
      await page.locator("#visits details[open] pre").first().innerText(),
    ).toContain("/1");
  });

  it("updates an open row, and keeps its scroll position", async () => {
    const receiver = await WebhookReceiver.start();
    receiver.reply = { status: 500 };
    const body = { url: receiver.url, verified: true };
    await local.controlCall("POST", "/us/webhooks", { body });
    await identify(local, { tag: { long: "x ".repeat(7_000) } });
    await receiver.get(1);
    await open();
    await page.locator("#deliveries").getByText("retry at").waitFor();
    await page.locator("#deliveries summary").click();
    const text = page.getByLabel("Body that is sent");
    await text.focus();
    await text.evaluate((box) => (box.scrollTop = 200));
    const top = () => text.evaluate(({ scrollTop }) => scrollTop);

    await addEvents(local, [{ url: "https://shop.example/new" }]);
    await visits().nth(1).waitFor();
    expect(await top()).toBe(200);
    await identify(local);
    await page.locator("#deliveries summary").nth(1).waitFor();
    expect(await top()).toBe(200);
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(await focused()).toBe("Body that is sent");

    receiver.reply = { status: 200 };
    await local.controlCall("POST", "/clock", { body: { advance: "5m" } });
    await page.getByText("Attempt 2, a retry").waitFor();
    expect(complaints).toEqual([]);
    receiver.close();
  });

  it("reports that a row cannot be loaded, and loads it later", async () => {
    await addEvents(local, [{ url: "https://shop.example/" }]);
    await open();
    await page.route("**/console/events/**", (route) => route.abort());
    await page.locator("#visits summary").click();
    await page.getByText("This cannot be loaded").waitFor();
    await page.unroute("**/console/events/**");
    await addEvents(local, [{ url: "https://shop.example/next" }]);
    await page.getByLabel("Event", { exact: true }).waitFor();
    expect(await page.getByText("This cannot be loaded").count()).toBe(0);
  });

  it("does not change while it is paused", async () => {
    await open();
    await isLive();
    await page.getByRole("button", { name: "Pause" }).click();
    await addEvents(local, [{ url: "https://shop.example/" }]);
    await page.getByText("Paused, there is news").waitFor();
    expect(await visits().count()).toBe(0);
    await page.getByRole("button", { name: "Resume" }).click();
    await visits().first().waitFor();
    await isLive();
  });

  it.each([
    [1280, 10],
    [400, 5],
  ])(
    "at %i pixels has pages of %i rows, which keep their place",
    async (width, rows) => {
      const events = Array.from({ length: 12 }, (_, n) => ({
        url: `https://shop.example/${n}`,
      }));
      for (const event of events) await addEvents(local, [event]);
      await page.setViewportSize({ width, height: 900 });
      await open();
      await isLive();
      const shown = visits().filter({ visible: true });
      expect(await shown.count()).toBe(rows);
      const pages = page.getByRole("navigation", {
        name: "Pages of Live events",
      });
      const next = pages.getByRole("button", { name: "Next" });
      await next.focus();
      await page.keyboard.press("Enter");
      await pages.getByText(`${rows + 1} to`).waitFor();
      await addEvents(local, [{ url: "https://shop.example/new" }]);
      await pages.getByText("of 13").waitFor();
      await pages.getByText(`${rows + 1} to`).waitFor();
      expect(await next.evaluate((it) => it === document.activeElement)).toBe(
        true,
      );
      await pages.getByRole("button", { name: "Previous" }).click();
      expect(await shown.count()).toBe(rows);
      expect(await shown.first().innerText()).toContain("/new");
    },
  );

  it("does not break a word of a row at 1280 pixels", async () => {
    const names = ["block-crawlers-and-scripts", "let-our-own-shop-in"];
    await setRules(
      local,
      names.map((name, n) => ({
        name,
        expression: `sdk.version == '${"1".repeat(60 + n)}'`,
        action: "deny",
        status: "enabled",
      })),
    );
    await identify(local, { url: `https://shop.example/${"a/".repeat(60)}` });
    await local.us("GET", "/filtering-rules");
    await open();
    await isLive();
    // A word on two lines has two boxes. Words in long columns may break once.
    const broken = await page.locator("main").evaluate((main) => {
      const found: string[] = [];
      const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (text.parentElement?.closest("td.long, dd")) continue;
        for (const { 0: word, index } of (text.nodeValue ?? "").matchAll(
          /\S+/g,
        )) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) found.push(word);
        }
      }
      return found;
    });
    expect(broken).toEqual([]);
  });

  it.each([1280, 800, 390])("fits a window of %i pixels", async (width) => {
    const receiver = await WebhookReceiver.start();
    const body = { url: receiver.url, verified: true };
    await local.controlCall("POST", "/us/webhooks", { body });
    await identify(local, {
      url: `https://shop.example/${"long".repeat(100)}`,
    });
    await receiver.get(1);
    await page.setViewportSize({ width, height: 844 });
    for (const path of ["/", "/playground/us", "/playground/us/rules"]) {
      await open(path);
      for (const summary of await page.locator("summary").all())
        await summary.click();
      const widest = await page.evaluate(
        () => document.documentElement.scrollWidth,
      );
      expect([path, widest]).toEqual([path, width]);
    }
    receiver.close();
  });
});

describe("the playground in a browser", () => {
  beforeEach(() => page.goto(`${local.service.url}/playground/us`));

  /** Sends the form and returns the output. */
  const identified = async () => {
    const results = page.locator("#results article");
    const before = await results.count();
    await page.getByRole("button", { name: "Identify" }).click();
    await results.nth(before).waitFor();
    const shown = await results.first().locator("pre").innerText();
    return JSON.parse(shown) as Record<string, unknown>;
  };

  it("is a new visitor after a reset, which erases the visits of a browser", async () => {
    const first = await identified();
    expect((await identified())["visitor_id"]).toBe(first["visitor_id"]);
    expect((await local.controlCall("POST", "/reset")).status).toBe(204);
    const { body } = await local.controlCall("GET", "/us/decisions");
    expect(body).toEqual([]);
    expect((await identified())["visitor_id"]).not.toBe(first["visitor_id"]);
  });

  it("identifies this browser with the given options", async () => {
    await page.getByLabel("linkedId").fill("user-1");
    await page.getByLabel("tag").fill('{"plan": "pro"}');
    const { event_id, visitor_id } = await identified();
    expect(visitor_id).toMatch(/^\w{20}$/);
    const { body } = await local.controlCall("GET", "/us/decisions");
    expect(body).toMatchObject([{ event_id, result: "allow" }]);
    await page.goto(`${local.service.url}/`);
    await page.locator("#visits summary").click();
    const event = await page.getByLabel("Event", { exact: true }).innerText();
    expect(JSON.parse(event)).toMatchObject({
      event_id,
      linked_id: "user-1",
      tags: { plan: "pro" },
      url: `${local.service.url}/playground/us`,
    });
  });

  it("recognises the browser, and can delete its stored ID", async () => {
    const first = await identified();
    const kept = () =>
      page.evaluate(
        () => `${document.cookie} ${Object.keys(localStorage).join(" ")}`,
      );
    expect(await kept()).toContain("_vid_");
    expect((await identified())["visitor_id"]).toBe(first["visitor_id"]);
    await page.getByRole("button", { name: "Forget this browser" }).click();
    expect(await kept()).not.toContain("_vid_");
  });

  it("shows the error of a request that a rule denies", async () => {
    await setRules(local, [
      { name: "nobody", expression: "true", action: "deny", status: "enabled" },
    ]);
    expect(await identified()).toMatchObject({
      name: "FingerprintError",
      code: "subscription_not_active",
    });
  });
});

describe("the rule playground in a browser", () => {
  const open = async (query = "") => {
    await page.goto(`${local.service.url}/playground/us/rules${query}`);
  };
  const said = (text: string) =>
    page.getByRole("status").filter({ hasText: text }).waitFor();

  it("explains a decision from the console", async () => {
    await setRules(local, [
      {
        name: "shop-only",
        expression:
          "http.request.headers['Origin'][0] != 'https://shop.example' || sdk.platform.is_ios",
        action: "deny",
        status: "enabled",
      },
    ]);
    await identify(local, {}, { headers: { origin: "https://evil.example" } });
    await page.goto(local.service.url);
    await page.locator("#visits summary").click();
    await page.getByRole("link", { name: "each rule and its terms" }).click();
    await said("Decision: deny, decided by shop-only.");
    const why = page.locator("#results .terms");
    expect(await why.innerText()).toContain(
      `http.request.headers['Origin'] is ["https://evil.example"]`,
    );
    expect(await why.innerText()).toMatch(
      /not evaluated\s+sdk.platform.is_ios/,
    );
    expect(complaints).toEqual([]);
  });

  it("takes the request of an event, and replays changed rules, with the keyboard only", async () => {
    const user_agent = "Mozilla/5.0 (compatible; bingbot/2.0)";
    await addEvents(local, [
      {
        user_agent,
        url: "https://shop.example/a",
        sdk: { platform: "js", version: "4" },
      },
    ]);
    await open();
    await expect
      .poll(() => page.getByLabel("Rule file").inputValue())
      .toBe("rules: []\n");
    await page.getByLabel("Take the request of a visit").focus();
    await page.keyboard.press("ArrowDown");
    await expect
      .poll(() => page.getByLabel("Request, as JSON").inputValue())
      .toContain(user_agent);
    expect(await page.getByLabel("What it does not contain").isChecked()).toBe(
      true,
    );
    await page.getByLabel("Rule file").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(
      "rules: [{name: crawlers, expression: http.user_agent.is_crawler_bot, action: deny}]",
    );
    const press = async (name: string) => {
      for (let n = 0; n < 6; n++) {
        const isHere = await page
          .getByRole("button", { name })
          .evaluate((it) => it === document.activeElement);
        if (isHere) break;
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
    };
    await press("Decide the request");
    await said("Decision: deny, decided by crawlers.");
    await press("Replay the last 1,000 events");
    await said("Replay of the last 1 events: 1 newly denied");
    expect(await page.locator("#results").innerText()).toContain("deny (new)");
    await page.getByRole("button", { name: "Back to the rules" }).click();
    await expect
      .poll(() => page.getByLabel("Rule file").inputValue())
      .toBe("rules: []\n");
    expect(complaints).toEqual([]);
  });

  it("runs no script from requests and rules", async () => {
    const name = `</textarea>${EVIL}`;
    await identify(
      local,
      { url: `https://shop.example/${EVIL}` },
      { headers: { "user-agent": EVIL, origin: `https://${EVIL}` } },
    );
    const { body } = await local.controlCall("GET", "/us/decisions");
    const [{ n } = { n: 0 }] = body as { n: number }[];
    await open(`?decision=${n}`);
    await said("Decision: allow");
    const expression = `http.user_agent.string == ${JSON.stringify(EVIL)}`;
    const rules = [{ name, expression, action: "deny" }];
    await page.getByLabel("Rule file").fill(JSON.stringify({ rules }));
    await page.getByRole("button", { name: "Decide" }).click();
    await said("Decision: deny");
    expect(await page.locator("#results").innerText()).toContain(EVIL);
    const broken = [{ name, expression: `${EVIL} ==`, action: "deny" }];
    await page.getByLabel("Rule file").fill(JSON.stringify({ rules: broken }));
    await page.getByRole("button", { name: "Decide" }).click();
    await said("This cannot be evaluated");
    expect(await page.locator("main script, main img").count()).toBe(0);
    expect(await page.title()).toBe("devid rule playground us");
    expect(complaints).toEqual([]);
  });

  it("reports that the service cannot be reached", async () => {
    await open();
    await page.route("**/rules/decide", (route) => route.abort());
    await page.getByRole("button", { name: "Decide" }).click();
    await said("Deciding failed");
  });
});
