// @module-tag chromium
import type { Browser, Page, Route } from "playwright-core";
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
import { identify } from "../service/identification/identify-calls";
import { LocalWorkspace } from "../helpers/local-workspace.js";
import { openForTests } from "../helpers/open-for-tests";
import { WebhookReceiver } from "../helpers/webhook-receiver";

const DENY_ALL = { name: "nobody", expression: "true", action: "deny" };

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
  await local.reset();
});

describe("the console in a browser", () => {
  const open = async (path = "/") => {
    await page.goto(`${local.service.url}${path}`);
  };
  const isLive = () => page.getByText("Live", { exact: true }).waitFor();
  const visits = () => page.locator("#visits tbody tr");
  const add = (name: string) =>
    addEvents(local, [{ url: `https://shop.example/${name}` }]);
  const focused = () => page.evaluate(() => document.activeElement?.id);

  it("shows new visits without a reload", async () => {
    await open();
    await isLive();
    await page.getByText("No event yet.").waitFor();
    await identify(local);
    await visits().first().waitFor();
    expect(await visits().first().innerText()).toContain("let in");
    await local.enforce([DENY_ALL]);
    await identify(local);
    await page.locator("#visits").getByText("nobody").first().waitFor();
    await page.locator("#rules").getByText("nobody").waitFor();
    const requests = await page.locator("#requests").innerText();
    expect(requests).toContain("/us/web/v4/");
    expect(complaints).toEqual([]);
  });

  it("works with the keyboard, and keeps the focus", async () => {
    await add("1");
    await open();
    await isLive();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.locator("a.skip:focus").count()).toBe(1);
    await page.keyboard.press("Enter");
    for (let n = 0; n < 20 && !(await focused())?.includes("/events/"); n++)
      await page.keyboard.press("Tab");
    const row = await focused();
    await add("2");
    await page.getByText("https://shop.example/2", { exact: true }).waitFor();
    expect(await focused()).toBe(row);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Event", exact: true }).waitFor();
    expect(await page.locator("pre").innerText()).toContain("shop.example/1");
  });

  it("updates the page of a delivery, and keeps its scroll position", async () => {
    const receiver = await WebhookReceiver.forTest();
    receiver.reply = { status: 500 };
    await local.control("/us/webhooks", { url: receiver.url, verified: true });
    await identify(local, { tag: { long: "x ".repeat(7_000) } });
    await receiver.get(1);
    await open();
    await page.locator("#deliveries").getByText("retry at").waitFor();
    await page.locator("#deliveries tbody a").click();
    const text = page.getByLabel("Body that is sent, text");
    await text.focus();
    await text.evaluate((box) => (box.scrollTop = 200));
    receiver.reply = { status: 200 };
    await local.advance("5m");
    await page.getByText("Attempt 2, a retry").waitFor();
    await page.locator("#state").getByText("delivered").waitFor();
    const headings = ["State", "Attempt 1", "Attempt 2, a retry"];
    headings.push("Body that is sent");
    expect(await page.locator("h2").allInnerTexts()).toEqual(headings);
    expect(await text.evaluate(({ scrollTop }) => scrollTop)).toBe(200);
    expect(await focused()).toBe("Body that is sent, text");
    expect(complaints).toEqual([]);
  });

  it("says that the service does not answer, or what it answers, and goes on when it does", async () => {
    const [event] = await addEvents(local, [{}]);
    await open(`/console/events/us/${event?.event_id}`);
    await isLive();
    // Refused connections, and connections that nobody answers.
    for (const refuse of [(route: Route) => route.abort(), () => undefined]) {
      await page.route("**/console/events/**", refuse);
      await page.getByText("The service does not answer").waitFor();
      await page.unrouteAll();
      await isLive();
    }
    await local.reset();
    await page.getByText("The service answers 404; trying again").waitFor();
  });

  it("does not change while it is paused", async () => {
    await page.clock.install();
    await open();
    await isLive();
    await page.getByRole("button", { name: "Pause" }).click();
    await add("1");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (let n = 0; n < 3; n++) await page.clock.runFor(1_000);
    expect([await visits().count(), asked]).toEqual([0, []]);
    await page.getByRole("button", { name: "Resume" }).click();
    await visits().first().waitFor();
    await isLive();
  });

  it.each([
    [1280, 10],
    [400, 5],
  ])("at %i pixels shows %i rows, and leads to more", async (width, rows) => {
    for (let n = 0; n < 12; n++) await add(String(n));
    await page.setViewportSize({ width, height: 900 });
    await open();
    const shown = visits().filter({ visible: true });
    expect(await shown.count()).toBe(rows);
    await page.getByRole("link", { name: "Live events, up to 50" }).click();
    await page.waitForURL(/visits/);
    expect(await shown.count()).toBe(12);
  });

  it("does not break a word of a row at 1280 pixels", async () => {
    const names = ["block-crawlers-and-scripts", "let-our-own-shop-in"];
    await local.enforce(
      names.map((name, n) => ({
        ...DENY_ALL,
        name,
        expression: `sdk.version == '${"1".repeat(60 + n)}'`,
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

  it.each([1280, 1024, 400])("fits a window of %i pixels", async (width) => {
    const receiver = await WebhookReceiver.forTest();
    await local.control("/us/webhooks", { url: receiver.url, verified: true });
    const url = `https://shop.example/${"long".repeat(100)}`;
    const name = "a-name-without-blanks-and-breaks";
    await local.enforce([{ ...DENY_ALL, name, action: "allow" }]);
    await identify(local, { url });
    await receiver.get(1);
    await page.setViewportSize({ width, height: 844 });
    await open();
    const rows = await page
      .locator("tbody a[id]")
      .evaluateAll((links) => links.map(({ id }) => id));
    expect(rows).toHaveLength(2);
    const playground = "/playground/us/rules?visit=decision:1";
    for (const path of ["/", playground, ...rows]) {
      await open(path);
      const boxes = page.locator("html, .scroll");
      for (const box of await boxes.all()) {
        const [whole, shown] = await box.evaluate((it) => [
          it.scrollWidth,
          it.clientWidth,
        ]);
        expect([path, whole]).toEqual([path, shown]);
      }
    }
  });
});

describe("the rule playground in a browser", () => {
  const results = () => page.locator("#results");
  const press = (name: string) => page.getByRole("button", { name }).click();

  it("explains a decision from the console", async () => {
    const shop = "http.request.headers['Origin'][0] != 'https://shop.example'";
    const expression = `${shop} || sdk.platform.is_ios`;
    await local.enforce([{ ...DENY_ALL, name: "shop-only", expression }]);
    await identify(local, {}, { headers: { origin: "https://evil.example" } });
    await page.goto(local.service.url);
    await page.locator("#visits tbody a").click();
    await page.getByRole("link", { name: "each rule and its terms" }).click();
    await results().getByText("deny, decided by shop-only.").waitFor();
    const why = await page.locator("#results .terms").innerText();
    expect(why).toContain(
      `http.request.headers['Origin'] is ["https://evil.example"]`,
    );
    expect(why).toMatch(/not evaluated\s+sdk.platform.is_ios/);
    expect(complaints).toEqual([]);
  });

  it("takes the request of an event, and decides it by changed rules, with the keyboard only", async () => {
    const user_agent = "Mozilla/5.0 (compatible; bingbot/2.0)";
    const sdk = { platform: "js", version: "4" };
    await addEvents(local, [{ user_agent, url: "https://shop.example", sdk }]);
    await page.goto(`${local.service.url}/playground/us/rules`);
    const pressByKey = async (name: string) => {
      const button = page.getByRole("button", { name });
      const isHere = () =>
        button.evaluate((it) => it === document.activeElement);
      for (let n = 0; n < 8 && !(await isHere()); n++)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    };
    const rules = page.getByLabel("Rule file");
    expect(await rules.inputValue()).toBe("rules: []\n");
    await page.getByLabel("Take the request of a visit").focus();
    await page.keyboard.press("ArrowDown");
    await pressByKey("Take");
    await results().getByText("allow, for no rule matches.").waitFor();
    const request = page.getByLabel("Request, as JSON");
    const partial = page.getByLabel("What it does not contain");
    expect(await request.inputValue()).toContain(user_agent);
    expect(await partial.isChecked()).toBe(true);
    await rules.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(
      "rules: [{name: crawlers, expression: http.user_agent.is_crawler_bot, action: deny}]",
    );
    await pressByKey("Decide the request");
    await results().getByText("deny, decided by crawlers.").waitFor();
    // The key Enter outside of a button takes no other request.
    const edited = '{"userAgent": "edited"}';
    await request.fill(edited);
    await partial.press("Enter");
    await results().getByText("allow, for no rule matches.").waitFor();
    expect(await request.inputValue()).toBe(edited);
    await press("Its rules in force");
    await expect.poll(() => rules.inputValue()).toBe("rules: []\n");
    expect(complaints).toEqual([]);
  });
});
