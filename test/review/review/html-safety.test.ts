import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFailedReview, formatReviewHtml } from "@devid/review";
import {
  HOSTILE,
  hostileAbsence,
  hostileFailure,
  hostileReview,
} from "./hostile-review";

/** All tags of a page as written, without the lengths of bars. */
const tagsOf = (html: string) => html.match(/<[^>]*>/g) ?? [];

describe.each([
  ["a review", (text: string) => formatReviewHtml(hostileReview(text))],
  [
    "a review without its parts",
    (text: string) => formatReviewHtml(hostileAbsence(text)),
  ],
  [
    "a failed review",
    (text: string) => formatFailedReview(hostileFailure(text), "html"),
  ],
])("the page of %s", (_, pageOf) => {
  const expected = tagsOf(pageOf("harmless"));

  it.each(HOSTILE)("shows %j as text", (text) => {
    const html = pageOf(text);
    expect(tagsOf(html)).toEqual(expected);
    expect(html).not.toContain("\u202e");
    expect(html).not.toContain("\u001b");
  });

  it("has the same tags for any text", () => {
    const pieces = fc.constantFrom(
      ..."<>\"'&=/! `",
      "<b>",
      "</pre>",
      "-->",
      "&#60;",
    );
    const texts = fc
      .array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 })), {
        maxLength: 8,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expect(tagsOf(pageOf(text))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
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
