import {
  formatImpactMarkdown,
  formatImpactText,
  type Impact,
} from "@devid/review/replay";
import fc from "fast-check";
import markdownIt from "markdown-it";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { barText } from "../../../rules/src/report/print-text";
import { formatReviewHtml } from "../../../review/src";
import { expectGolden } from "../../helpers/golden";
import { sampleReview } from "../review/sample-review";
import { BUSY, QUIET, SAMPLED, withTexts } from "./impacts";

const NAMES = { before: "live (Default, ae_1)", after: "rules.yaml" };

it.each<[string, Impact]>([
  ["busy", BUSY],
  ["sampled", SAMPLED],
  ["quiet", QUIET],
])(
  "the report of a %s day matches its golden text, in 80 columns",
  (name, impact) => {
    const text = formatImpactText(impact, NAMES);
    expectGolden(`impact/${name}.txt`, text);
    expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual(
      [],
    );
    expect(text).not.toMatch(/ \n/);
  },
);

it("the report matches its golden Markdown, with and without names", () => {
  const markdown = formatImpactMarkdown(BUSY, NAMES);
  expectGolden("impact/busy.md", markdown);
  expect(formatImpactMarkdown(BUSY)).toBe(
    markdown.split("\n").slice(2).join("\n"),
  );
});

it("aligns columns with names and values of wide characters", () => {
  const text = formatImpactText(withTexts("阻止所有的爬虫🚫"), NAMES);
  const lines = text.split("\n").filter((line) => line.includes("阻止"));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
  // Counts end in the same column on every line.
  const counts = lines.filter((line) => line.endsWith("%)"));
  expect(counts.length).toBeGreaterThan(2);
  expect(new Set(counts.map((line) => stringWidth(line)))).toHaveLength(1);
});

it("counts rules without events instead of listing them, unless they are new", () => {
  const zeros = BUSY.rules.filter(({ name }) => name === "never");
  const may = zeros.map((one) => ({
    ...one,
    name: "zeros-but-may-decide",
    outcomes: { ...one.outcomes, unchanged: { value: 12_345 } },
  }));
  const added = zeros.map((one) => ({
    ...one,
    name: "new-and-idle",
    before: "absent" as const,
  }));
  const impact = { ...BUSY, rules: [...BUSY.rules, ...may, ...added] };
  const review = sampleReview({ impact });
  for (const text of [
    formatImpactText(impact),
    formatImpactMarkdown(impact),
    formatReviewHtml(review),
  ]) {
    expect(text).not.toContain("zeros-");
    expect(text).toMatch(/\b2 other rules surely decide none\b/);
    expect(text).toMatch(/new-and-idle\W.*\(new\)/);
  }
});

it("shows an empty text of an event", () => {
  const { labels: _, ...busy } = withTexts("");
  const counts = {
    newlyDenied: 2,
    newlyAllowed: 2,
    unchanged: 0,
    cannotTell: 0,
  };
  const values = [{ value: "", events: 4, ...counts }];
  const impact = { ...busy, labels: { by: "bot_type", values } };
  const text = formatImpactText(impact);
  expect(text).toMatch(/^origin +"" /m);
  expect(text).toContain('bot_type is "" for');
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "</details><img src=x onerror=y>",
  "@everyone",
  "[click](https://evil.example)",
  "https://evil.example",
  "a|b\\|c",
  "`code` ``more``",
  "line\nbreak\r\n# heading",
  "\u202egnp.exe",
  "\u001b[31mred",
  "",
];

describe("text from events and rules", () => {
  const renderer = markdownIt({ html: true, linkify: true });
  const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string());

  it("is shown literally in Markdown", () => {
    fc.assert(
      fc.property(text, (hostile) => {
        const html = renderer.render(
          formatImpactMarkdown(withTexts(hostile), {
            before: hostile,
            after: hostile,
          }),
        );
        const harmless = renderer.render(
          formatImpactMarkdown(withTexts("harmless"), {
            before: "harmless",
            after: "harmless",
          }),
        );
        const bare = (page: string) =>
          page.replaceAll(/<code>[^<]*<\/code>/g, "");
        expect(bare(html)).toBe(bare(harmless));
      }),
      { numRuns: 100 },
    );
  });

  it("is shown in text without control characters", () => {
    fc.assert(
      fc.property(text, (hostile) => {
        const shown = formatImpactText(withTexts(hostile), NAMES);
        // oxlint-disable-next-line no-control-regex
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
        const lines = shown.split("\n").length;
        const usual = formatImpactText(withTexts("x"), NAMES);
        const isLong = [...hostile].length > 12 || hostile.includes(" ");
        if (!isLong && !/\P{ASCII}|[\r\n\t]|\p{C}/u.test(hostile))
          expect(lines).toBe(usual.split("\n").length);
      }),
      { numRuns: 100 },
    );
  });

  it("is shortened if it is long", () => {
    const { top } = withTexts("x".repeat(1_000)).newlyDenied;
    const cut = { ...BUSY, newlyDenied: { ...BUSY.newlyDenied, top } };
    expect(formatImpactText(cut)).toContain(`${"x".repeat(48)}...  1,234`);
    expect(formatImpactMarkdown(cut)).toContain(`\`${"x".repeat(117)}...\``);
    expect(formatImpactMarkdown(cut)).not.toContain("x".repeat(118));
  });
});

it.each([
  [0, 10, ""],
  [1, 1_000_000, "▏"],
  [1, 16, "▌"],
  [1, 2, "████"],
  [10, 10, "████████"],
  [11, 10, "████████"],
  [1, 0, ""],
])("%d of %d is the bar %j", (part, all, expected) => {
  expect(barText({ value: part, of: all }, 8)).toBe(expected);
});
