// @module-tag chromium
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AxeResults, source } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
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
import { WebhookReceiver } from "../helpers/webhook-receiver";
import { plainServer } from "../sdk/http/plain-server";
import { identify } from "../service/identification/identify-calls";
import { LocalWorkspace } from "../helpers/local-workspace.js";
import { addEvents, sendEvents } from "../service/server-api/event-calls";

declare const axe: {
  run(options: { resultTypes: ["violations"] }): Promise<AxeResults>;
};

/** The shop's page. The test gives the answers of its server. */
const TYPES = { "index.html": "text/html", "page.js": "text/javascript" };
const SHOP_PAGE = join(__dirname, "../../examples/shop/page");

const DENY_ALL = {
  name: "nobody",
  expression: "true",
  action: "deny",
  status: "enabled",
};

/** The color scheme and width of each window. */
const WINDOWS = [
  ["light", 1280],
  ["dark", 400],
] as const;

describe.each(WINDOWS)(
  "axe-core reports nothing at %s, %i pixels,",
  (...window) => {
    const [colorScheme, width] = window;
    let local: LocalWorkspace;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;

    beforeAll(async () => {
      local = await LocalWorkspace.start({ rateLimit: 5 });
      browser = await launchBrowser();
      context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 900 },
        userAgent: browserUserAgent(browser),
      });
    });
    // If a try runs out of time, closing its page ends what is left of it.
    beforeEach(async () => {
      page = await context.newPage();
    });
    afterEach(() => page.close());
    afterAll(async () => {
      await browser.close();
      await local.close();
    });

    const open = (path: string) => page.goto(`${local.service.url}${path}`);
    /** The findings of axe-core, one line each. */
    const findings = async () => {
      await page.evaluate(source);
      // What passes is listed with one element of each kind.
      const { violations, passes } = await page.evaluate(() =>
        axe.run({ resultTypes: ["violations"] }),
      );
      expect(passes.length).toBeGreaterThan(10);
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, any }) =>
          [id, help, html, any[0]?.message].join(" | ").slice(0, 400),
        ),
      );
    };

    it("in an empty console", async () => {
      await open("/");
      await page.getByText("Live", { exact: true }).waitFor();
      expect(await findings()).toEqual([]);
    });

    describe("in a console with one row of each kind", () => {
      beforeAll(async () => {
        const receiver = await WebhookReceiver.start();
        const webhooks = [{}, { status: "disabled" }].map((more) =>
          local.controlCall("POST", "/us/webhooks", {
            body: { url: receiver.url, verified: true, ...more },
          }),
        );
        await Promise.all(webhooks);
        receiver.reply = { status: 200, body: "thanks" };
        await identify(local, { linked_id: "user-1" });
        await receiver.get(1);
        receiver.reply = { status: 500 };
        await identify(local);
        await receiver.get(2);
        await addEvents(local, [
          { url: "https://shop.example/", bot: "bad", suspect_score: 20 },
        ]);
        const origin = "http.request.headers['Origin'][0]";
        await local.enforce([
          {
            name: "our-shop",
            expression: `${origin} == 'https://shop.example'`,
            action: "allow",
            status: "disabled",
          },
          DENY_ALL,
        ]);
        await identify(local);
        const search = sendEvents(local);
        const burst = () =>
          Promise.all(
            Array.from({ length: 9 }, () => search("GET", "/events")),
          );
        while (!(await burst()).some(({ status }) => status === 429));
        return () => receiver.close();
      });

      it("with all rows, and on the pages of a decision, an event and a delivery", async () => {
        await open("/");
        for (const [id, text] of [
          ["deliveries", "delivered"],
          ["deliveries", "retry at"],
        ] as const)
          await page.locator(`#${id}`).getByText(text).first().waitFor();
        expect(await findings()).toEqual([]);
        const rows = await page
          .locator("tbody a[id]")
          .evaluateAll((links) => links.map(({ id }) => id));
        await open("/console/requests");
        await page.locator("#requests").getByText("429").first().waitFor();
        expect(await findings()).toEqual([]);
        for (const kind of ["decisions", "events", "deliveries"]) {
          const href = rows.find((href) => href.includes(`/${kind}/`));
          await open(href ?? expect.fail(kind));
          expect([kind, await findings()]).toEqual([kind, []]);
        }
      });
    });

    it("in the rule playground, with a decision and mistakes", async () => {
      const term =
        "http.request.headers['Origin'][0] == 'https://shop.example'";
      const more = [
        ["fails", "http.request.headers['X-Test'][0] == ''"],
        ["parts", `!(${term}) || sdk.platform.is_ios && ${term}`],
      ].map(([name, expression]) => ({ ...DENY_ALL, name, expression }));
      await local.enforce([...more, { ...DENY_ALL, status: "disabled" }]);
      const press = async (name: string, answer: string) => {
        await page.getByRole("button", { name }).click();
        await page.locator("#results").getByText(answer).first().waitFor();
        expect(await findings()).toEqual([]);
      };
      await open("/playground/us/rules?visit=decision:1");
      expect(await findings()).toEqual([]);
      await page.getByLabel("What it does not contain").check();
      await press("Decide", "unknown");
      await page.getByLabel("Rule file").fill("rules: [");
      await press("Decide", "This cannot be evaluated");
    });

    it("in the shop, for an admitted and for a refused visitor", async () => {
      const { url, workspaces } = local.service;
      const answers: Readonly<Record<string, object>> = {
        "/agent": { address: `${url}/us/web/v4/${workspaces.us.publicKey}` },
        "/visits": { visitor: "visitor", isKnown: false, bot: "not_detected" },
      };
      const shop = await plainServer(({ path }, response) => {
        const file = path === "/" ? "index.html" : path.slice(1);
        if (file === "index.html" || file === "page.js")
          response
            .setHeader("content-type", TYPES[file])
            .end(readFileSync(join(SHOP_PAGE, file)));
        else
          response.end(JSON.stringify(answers[path] ?? { hasArrived: true }));
      });
      await local.enforce([]);
      await page.goto(shop.url);
      await page.getByText("arrived, its signature is right").waitFor();
      expect(await findings()).toEqual([]);
      await local.enforce([DENY_ALL]);
      await page.goto(shop.url);
      await page.getByText("Refused").waitFor();
      expect(await findings()).toEqual([]);
      await shop.close();
    });
  },
);
