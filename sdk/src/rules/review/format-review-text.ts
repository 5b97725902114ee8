import { styleText } from "node:util";
import { wrap } from "../../wrap";
import { findingBlock, testBlock } from "..";
import { formatDiffText } from "../diff-report/format-diff-text";
import { visibleText } from "../diff-report/visible-text";
import { describeReasons, describeVerdict, gradeOf } from "./describe-verdict";
import { formatImpactText } from "../replay";
import { count } from "../replay/report/event-share";
import { isAbsent, type Review } from "./review";

const COLORS = { low: "green", medium: "yellow", high: "red" } as const;

/**
 * A review for a terminal, at most 80 columns wide where no word is longer than
 * that. It ends in a line end.
 */
export function formatReviewText(
  review: Review,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const parts = [
    summaryText(review, color),
    changesText(review, color),
    impactText(review),
    findingsText(review),
    testsText(review),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function summaryText(review: Review, color: boolean): string {
  const { file, base, verdict, conditions } = review;
  const grade = gradeOf(review);
  const options = { validateStream: false };
  return [
    wrap("", visibleText(`Review of ${file} against ${base.name}`), "  "),
    ...(base.note === undefined ? [] : [wrap("  ", visibleText(base.note))]),
    "",
    color ? styleText(COLORS[verdict.risk], grade, options) : grade,
    ...describeVerdict(review, visibleText).map((phrase) =>
      wrap("  - ", phrase),
    ),
    ...describeReasons(review).map((reason) => wrap("", reason, "  ")),
    ...conditions.map(({ condition, outcome, found }) => {
      const mark = outcome === "does not hold" ? "✓" : "✗";
      const text = `${condition} ${outcome}: ${visibleText(found)}`;
      return wrap(`${mark} `, text);
    }),
  ].join("\n");
}

function changesText({ file, base, diff }: Review, color: boolean): string {
  if (isAbsent(diff))
    return headed(
      "Changes",
      wrap("", `Not compared: ${visibleText(diff.absent)}`),
    );
  if (diff.changes.length === 0) return "";
  const names = { before: base.name, after: file };
  return headed("Changes", formatDiffText(diff, { ...names, color }).trimEnd());
}

function impactText({ impact }: Review): string {
  return headed(
    "Past events",
    isAbsent(impact)
      ? wrap("", `Not looked at: ${visibleText(impact.absent)}`)
      : formatImpactText(impact).trimEnd(),
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
