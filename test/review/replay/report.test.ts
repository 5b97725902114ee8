import {
  formatImpactMarkdown,
  formatImpactText,
  type Impact,
} from "@devid/review/replay";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { barText } from "../../../rules/src/report/print-text";
import { formatReviewHtml } from "../../../review/src";
import { expectGolden } from "../../helpers/golden";
import { sampleReview } from "../review/sample-review";
import { BUSY, QUIET, SAMPLED, withTexts } from "./impacts";

const NAMES = { before: "live (Default, ae_1)", after: "rules.yaml" };

/** The lines of the busy day, which the golden texts of other days leave out. */
const KNOWN = new Set(formatImpactText(BUSY, NAMES).split("\n"));

it.each<[string, Impact]>([
  ["busy", BUSY],
  ["sampled", SAMPLED],
  ["quiet", QUIET],
])(
  "the report of a %s day matches its golden text, in 80 columns",
  (name, impact) => {
    const text = formatImpactText(impact, NAMES);
    const own = text.split("\n").filter((line) => !KNOWN.has(line));
    expectGolden(
      `impact/${name}.txt`,
      impact === BUSY ? text : `${own.join("\n")}\n`,
    );
    expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual(
      [],
    );
    expect(text).not.toMatch(/ \n/);
  },
);

it("the report has the names of the rule sets if they are given", () => {
  expect(formatImpactMarkdown(BUSY, NAMES)).toBe(
    `\`live (Default, ae_1)\` -> \`rules.yaml\`\n\n${formatImpactMarkdown(BUSY)}`,
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

it("shows an empty text of an event, and how many fields and labels it leaves out", () => {
  const { labels: _, ...busy } = withTexts("");
  const counts = {
    newlyDenied: 2,
    newlyAllowed: 2,
    unchanged: 0,
    cannotTell: 0,
  };
  const values = ["", "a", "b", "c", "d", "e", "f"].map((value) => ({
    ...{ value, events: 4, ...counts },
  }));
  const missing = values.map(({ value, events }) => ({
    ...{ field: `tags.${value}`, events },
  }));
  const impact = {
    ...{ ...busy, labels: { by: "bot_type", values } },
    missing: [...missing, ...missing],
  };
  const text = formatImpactText(impact);
  expect(text).toMatch(/^origin +"" /m);
  expect(text).toContain('bot_type is "" for');
  const said = text.replace(/\s+/g, " ");
  expect(said).toMatch(/ lack tags\. [^:]*, and 4 more\. /);
  expect(said).toMatch(/ is "" for [^:]*, and 2 more\. /);
});

it("shortens a long text of an event", () => {
  const { top } = withTexts("x".repeat(1_000)).newlyDenied;
  const cut = { ...BUSY, newlyDenied: { ...BUSY.newlyDenied, top } };
  expect(formatImpactText(cut)).toContain(`${"x".repeat(48)}...  1,234`);
  expect(formatImpactMarkdown(cut)).toContain(`\`${"x".repeat(117)}...\``);
  expect(formatImpactMarkdown(cut)).not.toContain("x".repeat(118));
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
