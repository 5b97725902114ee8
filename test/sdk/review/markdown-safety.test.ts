import fc from "fast-check";
import markdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { formatReviewMarkdown } from "../../../sdk/src/rules/review";
import { HOSTILE, hostileAbsence, hostileReview } from "./hostile-review";

const renderer = markdownIt({ html: true, linkify: true });

/** Blocks of code that stand one behind the other: a text can be several mistakes of a rule. */
const BLOCKS = /(<pre><code[^>]*>[^<]*<\/code><\/pre>\s*)+/g;

/** The elements of a comment, in order. */
const elementsOf = (html: string) =>
  [...html.replaceAll(BLOCKS, "$1").matchAll(/<(\/?\w+|!--)/g)].map(
    ([, element]) => element,
  );

/** What stands outside of code and of the marker. */
const proseOf = (html: string) =>
  html
    .replaceAll(/<code\b[^>]*>[^<]*<\/code>/g, "")
    .replace(/^<!--.*-->$/m, "");

/** A mark that would show in prose if one of the texts did. */
const marked = (text: string) => `${text}7351`;

describe.each([
  ["a review", hostileReview],
  ["a review without its parts", hostileAbsence],
])("the Markdown of %s", (_, make) => {
  const render = (text: string) =>
    renderer.render(formatReviewMarkdown(make(marked(text))));
  const expected = elementsOf(render("harmless"));
  const expectCode = (html: string) => {
    expect(elementsOf(html)).toEqual(expected);
    expect(proseOf(html)).not.toContain("7351");
  };

  it.each(HOSTILE)("shows %j in code, and as nothing else", (text) => {
    expectCode(render(text));
  });

  it("keeps any text within its code", () => {
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

it("has one comment in front that tells files apart and holds nothing else", () => {
  const first = (path: string) =>
    formatReviewMarkdown({ ...hostileReview("x"), file: path }).split("\n")[0];
  expect(first("shop/rules.yaml")).toBe(
    "<!-- devid-review:shop/rules.yaml -->",
  );
  expect(first("a b/--><b>é.yaml")).toBe(
    "<!-- devid-review:a%20b/--%3E%3Cb%3E%C3%A9.yaml -->",
  );
});
