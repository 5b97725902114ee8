import markdownIt from "markdown-it";
import { expect, it } from "vitest";
import { formatReviewMarkdown } from "@devid/review";
import { isAbsent, type Review } from "../../../review/src";
import { hostileReview } from "./hostile-review";
import { sampleReview } from "./sample-review";

const LIMIT = 65_536;

const renderer = markdownIt({ html: true });
const lengthOf = (text: string) => [...text].length;

/** The text above the first heading, without numbers. */
const summaryOf = (markdown: string) =>
  markdown.split("\n#### ")[0]?.replaceAll(/\d[\d,]*/g, "N");

const times = <T>(number: number, items: readonly T[]): T[] =>
  Array.from({ length: number }, () => items).flat();

/** A review with `number` entries of each kind, each with the text. */
function longReview(number: number, text: string): Review {
  const review = hostileReview(text);
  if (!("changes" in review.diff) || !("tests" in review.tests))
    expect.fail("There are parts.");
  if (!("rules" in review.impact)) expect.fail("There is an impact.");
  if (!review.plan || isAbsent(review.plan)) expect.fail("There is a plan.");
  const { diff, tests, impact, plan } = review;
  return {
    ...review,
    diff: { ...diff, changes: times(number, diff.changes) },
    findings: times(number, review.findings),
    tests: {
      tests: times(number, tests.tests),
      coverage: {
        ...tests.coverage,
        notReached: times(number, tests.coverage.notReached),
      },
    },
    plan: {
      ...plan,
      ruleSets: times(Math.min(number, 100), plan.ruleSets).map((ruleSet) => ({
        ...ruleSet,
        impact: undefined,
        diff: isAbsent(ruleSet.diff)
          ? ruleSet.diff
          : {
              ...ruleSet.diff,
              changes: times(number > 100 ? 1 : number, ruleSet.diff.changes),
            },
        settings: times(number, ruleSet.settings),
      })),
      others: times(number, plan.others),
      differences: times(number, plan.differences),
    },
    policies: {
      packs: times(number, [text]),
      violations: times(number, [
        {
          policy: text,
          pack: text,
          isAdvisory: false,
          resource: text,
          message: text,
        },
      ]),
    },
    impact: {
      ...impact,
      assumedNotSent: times(number, impact.assumedNotSent),
      rules: times(number, impact.rules),
      missing: times(number, impact.missing),
    },
  };
}

it.each([
  [400, "a name"],
  [3, "x".repeat(20_000)],
  [400, "\u{1f600}".repeat(100)],
  [50, "`".repeat(1_000)],
  [1_000, "|"],
])(
  "a review with %i texts like %j fits, and keeps its summary",
  (number, text) => {
    const review = longReview(number, text);
    const markdown = formatReviewMarkdown(review);
    expect(lengthOf(markdown)).toBeLessThanOrEqual(LIMIT);
    expect(markdown).toMatch(
      /\*\*\d+ of \d+ \w+( \w+)? are left out here, because there is no room\.\*\*/,
    );
    const short = formatReviewMarkdown(longReview(1, text));
    expect(summaryOf(markdown)).toBe(summaryOf(short));
    const html = renderer.render(markdown);
    const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
    expect(count(/<details>/g)).toBe(count(/<\/details>/g));
    expect(count(/<pre>/g)).toBe(count(/<\/pre>/g));
    for (const heading of [
      "Changes",
      "Plan",
      "Other resources",
      "Policies",
      "Past events",
      "Findings",
      "Failed tests",
    ])
      expect(html).toContain(`<h4>${heading}</h4>`);
  },
);

it("a long review uses nearly all of the space", () => {
  const markdown = formatReviewMarkdown(longReview(400, "a name"));
  expect(lengthOf(markdown)).toBeGreaterThan(LIMIT - 4_000);
});

it("a short review is shown in full", () => {
  expect(formatReviewMarkdown(sampleReview())).not.toContain("left out");
});

it("a long part takes no space from a short part", () => {
  const { findings, tests, ...rest } = longReview(1, "a name");
  const long = longReview(500, "a name");
  const markdown = formatReviewMarkdown({
    ...rest,
    findings,
    tests,
    diff: long.diff,
  });
  expect(markdown.match(/left out/g)).toHaveLength(1);
  expect(lengthOf(markdown)).toBeGreaterThan(LIMIT - 1_000);
});

it.each([20, 50, 100, 250])(
  "has room for the past events of %i rule sets",
  (number) => {
    const review = hostileReview("x".repeat(60));
    if (!review.plan || isAbsent(review.plan)) expect.fail("There is a plan.");
    const [first] = review.plan.ruleSets;
    if (!first) expect.fail("There is a rule set.");
    const { impact } = review;
    const ruleSets = Array.from({ length: number }, (_, n) => ({
      ...first,
      name: `set ${n}`,
      isReviewed: n === 0,
      ...(n > 0 && { impact }),
    }));
    const plan = { ...review.plan, ruleSets };
    const text = formatReviewMarkdown({ ...review, plan });
    expect(lengthOf(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toContain(`set ${number - 1}`);
    expect(text).toContain(`the figures of ${number - 5} other rule sets`);
  },
);
