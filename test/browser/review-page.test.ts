// @module-tag chromium
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Impact } from "../../review/src/replay-subpath";
import { formatReviewHtml } from "../../review/src";
import { allow, rule } from "../rules/diff/rule";
import { launchBrowser } from "../helpers/browser";
import { IMPACT, SAMPLED } from "../review/review/sample-impact";
import { sampleReview } from "../review/review/sample-review";

/** Fifty rules with long names. Most of them changed. */
const many = (action: typeof rule) =>
  Array.from({ length: 50 }, (_, n) =>
    action(
      n % 3 === 0
        ? `block_${n}`
        : `block-everything-that-comes-from-a-network-of-somebody-else-${n}`,
      `http.request.headers['X-Header-Number-${n}'][0] == 'https://a-rather-long-name.of-a-shop.example:8443/${n}' && sdk.platform.is_browser`,
    ),
  );

function impactOf(total: Impact): Impact {
  const [one = expect.fail("no rule")] = total.rules;
  const about = { value: 1_234_567, low: 1_100_000, high: 1_400_000 };
  return {
    ...total,
    assumedNotSent: ["Sec-Ch-Ua", "X-Requested-With"],
    rules: many(rule).map(({ name }) => ({
      ...one,
      name,
      decidedBefore: total.sample ? about : { value: 1_234_567 },
      outcomes: { ...one.outcomes, cannotTell: { value: 98_765 } },
    })),
  };
}

const review = (impact: Impact) =>
  sampleReview({
    text: JSON.stringify({ rules: many(rule) }),
    base: { name: "main", rules: many(allow).reverse() },
    impact: impactOf(impact),
    failOn: [],
  });

const PAGES = { whole: IMPACT, sampled: SAMPLED };

/** The layout faults of a page, each with its place. */
function blemishes(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    found.push(`the page is ${root.scrollWidth} wide`);
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    if (element.closest("pre, svg, details:not([open]) > :not(summary)"))
      continue;
    const { right, width } = element.getBoundingClientRect();
    if (width > 0 && right > root.clientWidth + 1)
      found.push(`cut off: ${element.tagName} ${element.textContent}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    const block = parent?.closest<HTMLElement>("td, th, li, p, h1, h2, h3");
    if (!parent || !block || parent.closest("pre, svg, details:not([open])"))
      continue;
    for (const { 0: word, index } of (text.textContent ?? "").matchAll(
      /[\p{L}\p{N}_]+(?:[.,]\p{N}+)*/gu,
    )) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter((r) => r.width > 0);
      const width = lines.reduce((sum, line) => sum + line.width, 0);
      if (lines.length > 1 && width < block.clientWidth - 32)
        found.push(`broken: ${word} in ${block.textContent}`);
    }
  }
  return found.slice(0, 5);
}

describe.each(Object.entries(PAGES))(
  "the page of a large review, %s",
  (name, impact) => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await launchBrowser();
      page = await browser.newPage();
      await page.setContent(formatReviewHtml(review(impact)));
    }, 120_000);
    afterAll(() => browser.close());

    it.each([
      ["a phone", 400, "screen", "light"],
      ["a phone at night", 400, "screen", "dark"],
      ["a small window", 700, "screen", "light"],
      ["a desktop", 1_280, "screen", "light"],
      ["a desktop at night", 1_280, "screen", "dark"],
      ["a sheet of paper", 718, "print", "dark"],
    ] as const)(
      "has no layout fault on %s",
      async (where, width, media, colorScheme) => {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ media, colorScheme });
        expect(await page.evaluate(blemishes)).toEqual([]);
        if (process.env["SCREENSHOTS"])
          await page.screenshot({
            path: `${process.env["SCREENSHOTS"]}/${name}-${where.replaceAll(" ", "-")}.png`,
            clip: { x: 0, y: 0, width, height: 2_600 },
            fullPage: true,
          });
      },
    );

    it("shows every column of a change and of a rule", async () => {
      for (const [table, columns] of [
        ["changes", ["#", "Rule", "Action", "Change", "Effect"]],
        ["rules", ["Rule", "Action", "Cannot tell"]],
      ] as const) {
        const row = page.locator(`table.${table} tr`).nth(1);
        for (const label of columns)
          expect(
            await row.locator(`td[data-label="${label}"]`).isVisible(),
          ).toBe(true);
      }
    });

    it("is black on white when printed in dark mode", async () => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(
        await page.evaluate(() => getComputedStyle(document.body).color),
      ).toBe("rgb(31, 35, 40)");
    });
  },
);
