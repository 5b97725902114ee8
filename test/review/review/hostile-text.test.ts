import { createHash } from "node:crypto";
import fc from "fast-check";
import markdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import {
  formatApplied,
  formatFailedReview,
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
  reviewMarker,
} from "@devid/review";
import type { Review } from "../../../review/src";
import {
  HOSTILE,
  hostileAbsence,
  hostileFailure,
  hostileReview,
} from "./hostile-review";

const renderer = markdownIt({ html: true, linkify: true });

/** Merges neighbouring code blocks, because a text can cause several mistakes of a rule. */
const BLOCKS = /(<pre><code[^>]*>[^<]*<\/code><\/pre>\s*)+/g;

/** The elements of a page or of a rendered comment, in order. */
const tagsOf = (html: string) => html.match(/<[^>]*>/g) ?? [];

/** The text outside of code and of the marker. */
const proseOf = (html: string) =>
  html
    .replaceAll(/<code\b[^>]*>[^<]*<\/code>/g, "")
    .replace(/^<!--.*-->$/m, "");

/** Behind each text. It would be visible if a text were shown as prose. */
const MARK = "7351";

const FORMATS = {
  html: {
    ofReview: formatReviewHtml,
    /** What no text may change. */
    shapeOf: tagsOf,
  },
  markdown: {
    ofReview: (review: Review) => formatReviewMarkdown(review),
    shapeOf: (markdown: string) => {
      const html = renderer.render(markdown);
      expect(proseOf(html)).not.toContain(MARK);
      const elements = html.replaceAll(BLOCKS, "$1");
      return [...elements.matchAll(/<(\/?\w+|!--)/g)].map(([, name]) => name);
    },
  },
  text: {
    ofReview: (review: Review) => formatReviewText(review),
    shapeOf: (text: string) => {
      // oxlint-disable-next-line no-control-regex -- no terminal may get them
      expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
      return [];
    },
  },
};
type Format = keyof typeof FORMATS;

const REPORTS: Readonly<
  Record<string, (format: Format, text: string) => string>
> = {
  "a review": (format, text) => FORMATS[format].ofReview(hostileReview(text)),
  "a review without its parts": (format, text) =>
    FORMATS[format].ofReview(hostileAbsence(text)),
  "a failed review": (format, text) =>
    formatFailedReview(hostileFailure(text), format),
};
const applied = (_: Format, text: string) =>
  formatApplied({
    ...{ file: text, scope: { stack: text }, extent: "part" },
    resources: [
      {
        ...{ resource: text, operation: "update", outcome: "failed" },
        message: text,
      },
    ],
    ...{ messages: [text], inForce: { absent: text } },
  });

const CASES = [
  ...(Object.keys(FORMATS) as Format[]).flatMap((format) =>
    Object.entries(REPORTS).map(([name, of]) => [format, name, of] as const),
  ),
  ["markdown", "what was applied", applied] as const,
];

const PIECES = fc.constantFrom(
  ..."` |\\*_<>&[]\"'=/!a\n@:-",
  ...["```", "-->", "<details>", "<b>", "</pre>", "&#60;", "\u001b[31m"],
  "https://evil.example",
);
const TEXTS = fc
  .array(fc.oneof(PIECES, fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

describe.each(CASES)("as %s, %s", (format, _, reportOf) => {
  const shapeOf = (text: string) => {
    const report = reportOf(format, `${text}${MARK}`);
    for (const sign of ["\u202e", "\u001b"]) expect(report).not.toContain(sign);
    return FORMATS[format].shapeOf(report);
  };
  const expected = shapeOf("harmless");

  it("shows any text only as a text", () => {
    const isShown = fc.property(TEXTS, (text) => {
      expect(shapeOf(text)).toEqual(expected);
    });
    const examples = HOSTILE.map((text) => [text] as [string]);
    fc.assert(isShown, { numRuns: 40 + examples.length, examples });
  });
});

describe("the page of a review", () => {
  const html = formatReviewHtml(hostileReview("https://evil.example"));

  it("loads nothing and runs nothing", () => {
    const tags = tagsOf(html).join("");
    expect(tags).not.toMatch(/\s(src|href|style|on\w+)=/);
    expect(tags).not.toMatch(/<(script|link|iframe|object|img|form|base)\b/);
    expect(html).not.toMatch(/url\(|@import/);
  });

  it("has a content security policy that allows only its own style", () => {
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(html).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">`,
    );
  });
});

describe("the marker of a comment", () => {
  const marker = (
    file: string,
    scope: { environment?: string; stack?: string } = {},
    purpose: "change" | "recovery" = "change",
  ) => reviewMarker({ file, scope, purpose });

  it("differs for each file, environment, stack and purpose", () => {
    expect(marker("shop/rules.yaml")).toBe(
      "<!-- devid-review:shop/rules.yaml -->",
    );
    expect(
      marker("r.yaml", { environment: "Production", stack: "shop/live" }),
    ).toBe(
      "<!-- devid-review:r.yaml:environment=Production:stack=shop/live -->",
    );
    expect(marker("r.yaml", { stack: "live" }, "recovery")).toBe(
      "<!-- devid-recovery:r.yaml:stack=live -->",
    );
  });

  it("is the first line of a review, also of a failed review", () => {
    const review = hostileReview("x");
    const first = (markdown: string) => markdown.split("\n")[0];
    expect(first(formatReviewMarkdown(review))).toBe(reviewMarker(review));
    const failed = formatFailedReview(hostileFailure("x"), "markdown");
    expect(first(failed)).toBe(reviewMarker(review));
  });

  it("is a single comment for any text", () => {
    for (const text of [...HOSTILE, "a b/--><b>é.yaml", "\ud800"]) {
      const scope = { environment: text, stack: text };
      expect(marker(text, scope)).toMatch(/^<!-- [\w%./:=!~*'()-]+ -->$/);
      expect(marker(text, scope).match(/-->/g)).toHaveLength(1);
    }
  });

  it("differs for any two files and scopes", () => {
    const text = fc.oneof(
      fc.constantFrom(
        "a",
        "a:stack=b",
        "a\nb",
        "a\\nb",
        "%0a",
        "\ud800",
        "%ud800",
        `${"x".repeat(500)}a`,
        `${"x".repeat(500)}b`,
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    const scope = fc.record(
      { environment: text, stack: text },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(text, scope, text, scope, (a, inA, b, inB) => {
        const isSame =
          JSON.stringify([a, inA.environment, inA.stack]) ===
          JSON.stringify([b, inB.environment, inB.stack]);
        expect(marker(a, inA) === marker(b, inB)).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });
});

it("shows the message of a failed review in at most 3,000 characters", () => {
  const failed = { ...hostileFailure("x"), message: "`".repeat(100_000) };
  for (const format of ["text", "markdown", "html", "json"] as const)
    expect(formatFailedReview(failed, format).length).toBeLessThan(25_000);
});
