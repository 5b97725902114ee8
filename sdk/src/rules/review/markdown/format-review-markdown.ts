import { CHANGE_TABLE_HEAD } from "../../diff-report/format-diff-markdown";
import { changeCells, effectMarkup } from "../../diff-report/change-cells";
import { tableRow } from "../../diff-report/table-row";
import {
  describeChanges,
  describeReasons,
  describeVerdict,
  gradeOf,
} from "../describe-verdict";
import { isAbsent, type ConditionOutcome, type Review } from "../review";
import { code } from "./code";
import { findingsSections } from "./findings-sections";
import { fitSections, lengthOf, type Section } from "./fit-sections";
import { impactSections } from "./impact-sections";
import { reviewMarker } from "./review-marker";
import { testsSections } from "./tests-sections";

/** The longest comment that GitHub takes, in characters. */
const LONGEST_COMMENT = 65_536;

/** Edits of one expression that are shown. */
const MAX_EDITS = 20;

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
    ...impactSections(review),
    ...findingsSections(review),
    ...testsSections(review),
  ];
  const room = LONGEST_COMMENT - lengthOf(summary);
  return `${(summary + fitSections(sections, room)).trimEnd()}\n`;
}

function summaryOf(review: Review): string {
  const { file, base, conditions } = review;
  const lines = [
    reviewMarker(file),
    `### Review of ${code(file)} against ${code(base.name)}`,
    "",
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

function changesSections({ diff }: Review): Section[] {
  if (isAbsent(diff))
    return [
      {
        title: `#### Changes\n\nNot compared: ${code(diff.absent)}`,
        items: [],
        noun: "changes",
      },
    ];
  if (diff.changes.length === 0) return [];
  const effect = effectMarkup(diff.effect, code);
  return [
    {
      title: `#### Changes\n\n${describeChanges(diff)}. In total: ${effect}.`,
      open: CHANGE_TABLE_HEAD,
      items: diff.changes.map((change) =>
        tableRow(changeCells(change, code, MAX_EDITS)),
      ),
      noun: "changes",
    },
  ];
}
