import fc from "fast-check";
import markdownIt from "markdown-it";
import { expect, it } from "vitest";
import {
  codeFence,
  codeSpan,
} from "../../../rules/src/report/markdown/markdown";
import { visibleText } from "../../../rules/src/report/describe/visible-text";

const renderer = markdownIt({ html: true, linkify: true });

/** The texts of the code spans of a page, as a reader sees them. */
const codeOf = (html: string) =>
  [...html.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text = ""]) =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
  );

it("Markdown of a diff keeps any text within its code span", () => {
  const markup = fc.constantFrom(..."` |\\*_<&[]a\n");
  const texts = fc.oneof(
    fc.string({ unit: markup, maxLength: 12 }),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const shown = codeOf(renderer.render(`a ${codeSpan(text)} b`));
      expect(shown).toEqual([visibleText(text) || " "]);
    }),
    { numRuns: 500 },
  );
});

it("shows hidden characters of lines in a block of code", () => {
  expect(codeFence("a\u202eb\r\n\u001b[2J")).toBe(
    "```text\na\\u{202e}b\n\\u{1b}[2J\n```",
  );
});

it("keeps each text on one line, and shows hidden characters", () => {
  expect(visibleText("a\tb\r\nc\u0000")).toBe("a\\tb\\r\\nc\\u{0}");
  expect(visibleText("\u202eabc\u2066\u200b\ufeff")).toBe(
    "\\u{202e}abc\\u{2066}\\u{200b}\\u{feff}",
  );
  expect(visibleText("\u2028\ud800\u{e0041}")).toBe(
    "\\u{2028}\\u{d800}\\u{e0041}",
  );
  expect(visibleText("größe 日本 \u{1f600} é")).toBe("größe 日本 \u{1f600} é");
});
