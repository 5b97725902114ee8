import { styleText } from "node:util";
import { count, changesText } from "@devid/rules/internals";
import {
  measuredChanges,
  type MeasuredChange,
} from "../../review/judged-effect";
import { isAbsent, type Review } from "../../review/review";
import {
  describePlan,
  describeRuleSet,
  hasOwnChanges,
} from "../describe/describe-plan";
import {
  describeCondition,
  describeReasons,
  describeSubject,
  describeVerdict,
  failureText,
  gradeOf,
  pastEventsTitle,
  titleOf,
} from "../describe/describe-review";
import { reportTables, type ReportSection } from "../describe/report-section";
import {
  visibleText,
  wrap,
  findingBlock,
  formatDiffText,
  testBlock,
} from "@devid/rules";
import { USAGE_TITLE } from "../describe/describe-usage";
import { formatImpactText } from "./format-impact-text";
import { formatUsageText } from "./format-usage-text";

const COLORS = { low: "green", medium: "yellow", high: "red" } as const;

/**
 * Formats a review for a terminal. Lines have at most 80 columns if no word is
 * longer. The result ends with a newline.
 */
export function formatReviewText(
  review: Review,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const parts = [
    summaryText(review, color),
    fileText(review, color),
    planText(review, color),
    ...reportTables(review, visibleText).map(tableText),
    ...measuredChanges(review).map(impactText),
    usageText(review),
    findingsText(review),
    testsText(review),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function summaryText(review: Review, color: boolean): string {
  const { base, verdict, conditions, failure } = review;
  const grade = gradeOf(review);
  const options = { validateStream: false };
  return [
    wrap("", titleOf(review, visibleText), "  "),
    ...describeSubject(review, visibleText).map((line) => wrap("  ", line)),
    ...(base.note === undefined ? [] : [wrap("  ", visibleText(base.note))]),
    ...(failure === undefined
      ? []
      : [
          "",
          ...failureText(failure)
            .split("\n")
            .map((line) => wrap("  ", line).trimEnd()),
        ]),
    "",
    color ? styleText(COLORS[verdict.risk], grade, options) : grade,
    ...describeVerdict(review, visibleText).map((phrase) =>
      wrap("  - ", phrase),
    ),
    ...describeReasons(review).map((reason) => wrap("", reason, "  ")),
    ...conditions.map((condition) =>
      wrap("", describeCondition(condition, visibleText), "  "),
    ),
  ].join("\n");
}

function fileText({ file, base, diff }: Review, color: boolean): string {
  if (isAbsent(diff))
    return headed(
      "Changes",
      wrap("", `Not compared: ${visibleText(diff.absent)}`),
    );
  if (diff.changes.length === 0) return "";
  const before = base.isMissing ? `${base.name} (no rules)` : base.name;
  const names = { before, after: file, color };
  return headed("Changes", formatDiffText(diff, names).trimEnd());
}

function planText(review: Review, color: boolean): string {
  const { plan } = review;
  if (plan === undefined) return "";
  if (isAbsent(plan))
    return headed("Plan", wrap("", `Not known: ${visibleText(plan.absent)}`));
  const parts = [
    [
      wrap("", describePlan(plan, visibleText)),
      ...plan.differences.map((difference) =>
        wrap("  - ", visibleText(difference)),
      ),
    ].join("\n"),
    ...plan.ruleSets.flatMap((ruleSet) => [
      wrap("", describeRuleSet(ruleSet, review, visibleText)),
      ...(hasOwnChanges(ruleSet, review)
        ? [changesText(ruleSet.diff.changes, color)]
        : []),
    ]),
  ];
  return headed("Plan", parts.join("\n\n"));
}

/** A table as a list, since a row is often longer than a line of a terminal. */
function tableText({ title = "", intro = "", table }: ReportSection): string {
  const items = (table?.rows ?? []).map(([first = "", ...rest]) =>
    wrap("  - ", [first, ...rest].filter((cell) => cell !== "").join("; ")),
  );
  return headed(title, [wrap("", intro), ...items].join("\n"));
}

function impactText(change: MeasuredChange): string {
  const { impact } = change;
  return headed(
    wrap("", pastEventsTitle(change, visibleText)),
    isAbsent(impact)
      ? wrap("", `Not looked at: ${visibleText(impact.absent)}`)
      : formatImpactText(impact).trimEnd(),
  );
}

function usageText({ usage }: Review): string {
  if (usage === undefined) return "";
  return headed(
    USAGE_TITLE,
    isAbsent(usage)
      ? wrap("", `Not counted: ${visibleText(usage.absent)}`)
      : formatUsageText(usage).trimEnd(),
  );
}

function findingsText({ file, findings }: Review): string {
  if (findings.length === 0) return "";
  const blocks = findings.map((finding) => findingBlock(finding, file));
  return headed("Findings", blocks.join("\n\n"));
}

function testsText({ file, tests }: Review): string {
  if (isAbsent(tests)) return headed("Tests", `Not run: ${tests.absent}`);
  if (tests.tests.length === 0) return "";
  const failed = tests.tests.filter(({ passed }) => !passed);
  const passed = tests.tests.length - failed.length;
  const { notReached } = tests.coverage;
  return headed(
    "Tests",
    [
      ...failed.map((test) => testBlock(test, file)),
      `  ${count(passed, "test")} passed`,
      ...(notReached.length > 0
        ? [wrap("  no test reaches ", visibleText(notReached.join(", ")))]
        : []),
    ].join("\n"),
  );
}

const headed = (title: string, text: string) => `${title}\n\n${text}`;
