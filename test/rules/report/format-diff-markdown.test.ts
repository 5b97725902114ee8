import fc from "fast-check";
import markdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { codeSpan } from "../../../rules/src/report/markdown/markdown";
import { formatDiffMarkdown } from "../../../rules/src/report/diff-report";
import { visibleText } from "../../../rules/src/report/describe/visible-text";
import { diffRules, type Rule } from "../../../rules/src";
import { allow, rule } from "../diff/rule";

const renderer = markdownIt({ html: true, linkify: true });

const NAMES = { before: "main", after: "branch" };

const render = (before: Rule[], after: Rule[], names = NAMES) =>
  renderer.render(formatDiffMarkdown(diffRules(before, after), names));

/** The texts of the code spans of a page, as a reader sees them. */
const codeOf = (html: string) =>
  [...html.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text = ""]) =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
  );

const HOSTILE = [
  "a|b",
  "a\\|b\\\\|",
  "`code` and ``more``",
  "`",
  " `x` ",
  "<script>alert(1)</script>",
  "</td></table>",
  "@security-team",
  "[click](https://evil.example) https://evil.example",
  "line\n| --- |\nend\r\n",
  "\u001b[31mred",
  "allow\u202e yned",
  "&lt;b&gt; *bold* _it_ ~~no~~",
  "   ",
];

describe("Markdown of a diff", () => {
  it.each(HOSTILE)("shows %j literally", (text) => {
    const html = render(
      [rule(text, "true"), rule("gone", text), rule("edited", text)],
      [rule("edited", `${text}.`), allow("first"), rule(text, "true")],
      { before: text, after: text },
    );
    expect(html.match(/<tr>/g)).toHaveLength(5);
    expect(html.match(/<t[dh]\b/g)).toHaveLength(25);
    const elements = new Set(
      [...html.matchAll(/<(\w+)/g)].map(([, element]) => element),
    );
    const expected = "p code table thead tr th tbody td br";
    expect([...elements].sort()).toEqual(expected.split(" ").sort());
    expect(codeOf(html)).toContain(visibleText(text));
  });

  it("keeps any text within its code span", () => {
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
