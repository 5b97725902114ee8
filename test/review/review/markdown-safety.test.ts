import fc from "fast-check";
import markdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import {
  formatApplied,
  formatFailedReview,
  formatReviewMarkdown,
  reviewMarker,
} from "@devid/review";
import {
  HOSTILE,
  hostileAbsence,
  hostileFailure,
  hostileReview,
} from "./hostile-review";

const renderer = markdownIt({ html: true, linkify: true });

/** Merges neighbouring code blocks, because a text can cause several mistakes of a rule. */
const BLOCKS = /(<pre><code[^>]*>[^<]*<\/code><\/pre>\s*)+/g;

/** The elements of a comment, in order. */
const elementsOf = (html: string) =>
  [...html.replaceAll(BLOCKS, "$1").matchAll(/<(\/?\w+|!--)/g)].map(
    ([, element]) => element,
  );

/** The text outside of code and of the marker. */
const proseOf = (html: string) =>
  html
    .replaceAll(/<code\b[^>]*>[^<]*<\/code>/g, "")
    .replace(/^<!--.*-->$/m, "");

/** Adds a mark that would be visible if a text were shown as prose. */
const marked = (text: string) => `${text}7351`;

describe.each([
  ["a review", (text: string) => formatReviewMarkdown(hostileReview(text))],
  [
    "a review without its parts",
    (text: string) => formatReviewMarkdown(hostileAbsence(text)),
  ],
  [
    "a failed review",
    (text: string) => formatFailedReview(hostileFailure(text), "markdown"),
  ],
  [
    "what was applied",
    (text: string) =>
      formatApplied({
        ...{ file: text, scope: { stack: text }, extent: "part" },
        resources: [
          {
            ...{ resource: text, operation: "update", outcome: "failed" },
            message: text,
          },
        ],
        ...{ messages: [text], inForce: { absent: text } },
      }),
  ],
])("the Markdown of %s", (_, markdownOf) => {
  const render = (text: string) => renderer.render(markdownOf(marked(text)));
  const expected = elementsOf(render("harmless"));
  const expectCode = (html: string) => {
    expect(elementsOf(html)).toEqual(expected);
    expect(proseOf(html)).not.toContain("7351");
  };

  it.each(HOSTILE)("shows %j only as code", (text) => {
    expectCode(render(text));
  });

  it("shows any text only as code", () => {
    const pieces = fc.constantFrom(
      ..."` |\\*_<&[]a\n@:-!>",
      "```",
      "-->",
      "<details>",
      "https://evil.example",
    );
    const texts = fc
      .array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 })), {
        maxLength: 8,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expectCode(render(text));
      }),
      { numRuns: 60 },
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

  it.each([...HOSTILE, "a b/--><b>é.yaml", "\ud800"])(
    "is a single comment for any text: %j",
    (text) => {
      const scope = { environment: text, stack: text };
      expect(marker(text, scope)).toMatch(/^<!-- [\w%./:=!~*'()-]+ -->$/);
      expect(marker(text, scope).match(/-->/g)).toHaveLength(1);
    },
  );

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
