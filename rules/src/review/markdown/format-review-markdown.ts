import { describeReasons, describeVerdict, gradeOf } from "../describe-verdict";
import { describeSubject, titleOf } from "../heading";
import type { ConditionOutcome, Review } from "../review";
import { changesSections, planSections } from "./changes-sections";
import { code } from "./code";
import { findingsSections } from "./findings-sections";
import { fitSections, lengthOf } from "./fit-sections";
import { impactSections } from "./impact-sections";
import { reviewMarker } from "./review-marker";
import { testsSections } from "./tests-sections";

/** The longest comment that GitHub takes, in characters. */
const LONGEST_COMMENT = 65_536;

/**
 * A review as the comment of a pull request, of at most 65,536 characters: what
 * is left out for want of room is said, and the summary never is. Its first line
 * is a marker for whoever replaces the comment later. All that comes from rules,
 * events and the service stands in code, so that it can neither be read as
 * markup nor mention anybody.
 */
export function formatReviewMarkdown(review: Review): string {
  const summary = summaryOf(review);
  const sections = [
    ...changesSections(review),
    ...planSections(review),
    ...impactSections(review),
    ...findingsSections(review),
    ...testsSections(review),
  ];
  const room = LONGEST_COMMENT - lengthOf(summary);
  return `${(summary + fitSections(sections, room)).trimEnd()}\n`;
}

function summaryOf(review: Review): string {
  const { base, conditions } = review;
  const lines = [
    reviewMarker(review),
    `### ${titleOf(review, code)}`,
    "",
    ...describeSubject(review, code).flatMap((line) => [line, ""]),
    `**${gradeOf(review)}** · ${describeVerdict(review, code).join(" · ")}`,
    "",
    ...(base.note === undefined ? [] : [`Note: ${code(base.note)}`, ""]),
    ...describeReasons(review).map((reason) => `- ${reason}`),
    ...conditions.map((condition) => `- ${conditionMarkdown(condition)}`),
  ];
  return `${lines.join("\n").trimEnd()}\n\n`;
}

function conditionMarkdown({ condition, outcome, found }: ConditionOutcome) {
  const mark = outcome === "does not hold" ? "✓" : "✗";
  return `${mark} ${code(condition)} ${outcome}: ${code(found)}`;
}
