import { shortened, code, tableRow } from "@devid/rules/internals";
import { codeFence } from "@devid/rules";
import type { Impact } from "../../replay/impact";
import {
  measuredChanges,
  type MeasuredChange,
} from "../../review/judged-effect";
import { isAbsent, type Review } from "../../review/review";
import {
  describeUnlistedRules,
  listedRules,
} from "../describe/describe-impact";
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
import type { ReportSection } from "../describe/report-section";
import { changeSections, checkSections } from "../describe/review-sections";
import {
  fitSections,
  foldedSection,
  characterCount,
  type Section,
} from "./fit-sections";
import { usageSections } from "./usage-sections";
import {
  changeMarkdown,
  impactSummaryMarkdown,
  RULE_IMPACT_HEAD,
  ruleImpactRow,
} from "./format-impact-markdown";
import { reviewMarker } from "./review-marker";

/** The longest comment that GitHub takes, in characters. */
const LONGEST_COMMENT = 65_536;

/**
 * Formats a review as a comment of a pull request, of at most 65,536 characters. The
 * summary is always whole; other sections say what they leave out if there is no room.
 * The first line is a marker, by which a later run finds the comment to replace it.
 * Texts of rules, events and the service are in code, so that they can neither act as
 * markup nor mention anybody.
 * @param spare characters that the caller will add, and that are left free
 */
export function formatReviewMarkdown(
  review: Review,
  { spare = 0 }: { readonly spare?: number } = {},
): string {
  const summary = summaryOf(review);
  const sections = [
    ...changeSections(review, code, MOST).map(markdownOf),
    ...measuredChanges(review).flatMap(sectionsOfImpact),
    ...usageSections(review),
    ...checkSections(review, code).map(markdownOf),
  ];
  const room = LONGEST_COMMENT - spare - characterCount(summary);
  return `${(summary + fitSections(sections, room)).trimEnd()}\n`;
}

function summaryOf(review: Review): string {
  const { base, conditions, failure } = review;
  const lines = [
    reviewMarker(review),
    `### ${titleOf(review, code)}`,
    "",
    ...describeSubject(review, code).flatMap((line) => [line, ""]),
    `**${gradeOf(review)}** · ${describeVerdict(review, code).join(" · ")}`,
    "",
    ...(base.note === undefined ? [] : [`Note: ${code(base.note)}`, ""]),
    ...(failure === undefined ? [] : [codeFence(failureText(failure)), ""]),
    ...describeReasons(review).map((reason) => `- ${reason}`),
    ...conditions.map((condition) => `- ${describeCondition(condition, code)}`),
  ];
  return `${lines.join("\n").trimEnd()}\n\n`;
}

/** Edits of one expression, and rule sets whose changes are in a table. */
const MOST = { maxEdits: 20, maxTables: 5 };

function markdownOf({
  title,
  intro,
  table,
  list,
  blocks,
  noun,
  isFolded,
}: ReportSection): Section {
  const heading = isFolded ? title : title && `#### ${title}`;
  const section = {
    title: heading && intro ? `${heading}\n\n${intro}` : (heading ?? intro),
    head: table && headOf(table.columns),
    items:
      table?.rows.map(tableRow) ??
      blocks?.map(codeFence) ??
      list?.map((text) => `- ${text}`),
    noun,
    isSpaced: blocks !== undefined,
  };
  return isFolded ? foldedSection(section) : section;
}

const headOf = (columns: readonly string[]) =>
  [
    tableRow(columns),
    tableRow(columns.map((name) => (name === "#" ? "--:" : "---"))),
  ].join("\n");

/**
 * The number of missing fields of events that are shown, and the characters of
 * each.
 */
const MOST_FIELDS = 10;
const LONGEST_FIELD = 120;

/** Characters of a rule's name. */
const LONGEST_NAME = 400;

/** What a change would have done to past events; the details are folded. */
function sectionsOfImpact(change: MeasuredChange): Section[] {
  const { impact } = change;
  const heading = `#### ${pastEventsTitle(change, code)}`;
  if (isAbsent(impact))
    return [{ title: `${heading}\n\nNot looked at: ${code(impact.absent)}` }];
  const { listed, others } = listedRules(impact);
  const rest = others > 0 ? `\n\n${describeUnlistedRules(others)}` : "";
  const summary = impactSummaryMarkdown(bounded(impact));
  return [
    {
      title: `${heading}\n\n${summary}${rest}`,
      head: RULE_IMPACT_HEAD,
      items: listed.map((rule) =>
        ruleImpactRow({ ...rule, name: shortened(rule.name, LONGEST_NAME) }),
      ),
      noun: "rules",
    },
    ...changeSection("Newly denied", impact.newlyDenied, impact),
    ...changeSection("Newly allowed", impact.newlyAllowed, impact),
  ];
}

function changeSection(
  title: string,
  change: Impact["newlyDenied"] | "not observable",
  impact: Impact,
): Section[] {
  if (change === "not observable" || change.events === 0) return [];
  const items = [changeMarkdown(change, impact)];
  return [foldedSection({ title, items, noun: "tables" })];
}

/** Shortens the parts of an impact that would make its summary long. */
function bounded(impact: Impact): Impact {
  const missing = impact.missing
    .slice(0, MOST_FIELDS)
    .map(({ field, events }) => ({
      field: shortened(field, LONGEST_FIELD),
      events,
    }));
  return { ...impact, missing };
}
