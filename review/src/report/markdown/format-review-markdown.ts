import {
  describeChanges,
  count,
  shortened,
  changeCells,
  effectText,
  CHANGE_TABLE_HEAD,
  code,
  tableRow,
} from "@devid/rules/internals";
import {
  type RuleSetDiff,
  findingBlock,
  testBlock,
  codeFence,
} from "@devid/rules";
import type { Impact } from "../../replay/impact";
import {
  measuredChanges,
  type MeasuredChange,
} from "../../review/judged-effect";
import {
  isAbsent,
  type ConditionOutcome,
  type Review,
  type ReviewFinding,
} from "../../review/review";
import { nameOfRuleSet } from "../../review/list-names";
import {
  describeUnlistedRules,
  listedRules,
} from "../describe/describe-impact";
import {
  CATCHES_UP,
  describePlan,
  describeRuleSet,
  hasOwnChanges,
} from "../describe/describe-plan";
import {
  describeReasons,
  describeSubject,
  describeVerdict,
  failureText,
  gradeOf,
  pastEventsTitle,
  titleOf,
} from "../describe/describe-review";
import { reportTables, type ReportTable } from "../describe/report-table";
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
 */
export function formatReviewMarkdown(review: Review): string {
  const summary = summaryOf(review);
  const sections = [
    ...changesSections(review),
    ...planSections(review),
    ...reportTables(review, code).map(tableSection),
    ...impactSections(review),
    ...usageSections(review),
    ...findingsSections(review),
    ...testsSections(review),
  ];
  const room = LONGEST_COMMENT - characterCount(summary);
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
    ...conditions.map((condition) => `- ${conditionMarkdown(condition)}`),
  ];
  return `${lines.join("\n").trimEnd()}\n\n`;
}

function conditionMarkdown({ condition, outcome, found }: ConditionOutcome) {
  const mark = outcome === "does not hold" ? "✓" : "✗";
  return `${mark} ${code(condition)} ${outcome}: ${code(found)}`;
}

/**
 * The number of rule sets whose changes are shown in a table; all are
 * described.
 */
const MOST_TABLES = 5;

const MAX_EDITS = 20;

/** The section on what the file changes. */
export function changesSections({ base, diff }: Review): Section[] {
  if (isAbsent(diff))
    return [{ title: `#### Changes\n\nNot compared: ${code(diff.absent)}` }];
  if (diff.changes.length === 0) return [];
  const against = base.isMissing ? ", compared with no rules" : "";
  const effect = effectText(diff.effect, code);
  return [
    {
      title: `#### Changes\n\n${describeChanges(diff)}${against}. In total: ${effect}.`,
      ...changeTable(diff),
    },
  ];
}

/**
 * The section on the deployment: where it differs from the file, each rule set,
 * and the other resources.
 */
export function planSections(review: Review): Section[] {
  const { plan } = review;
  const heading = "#### Plan";
  if (plan === undefined) return [];
  if (isAbsent(plan))
    return [{ title: `${heading}\n\nNot known: ${code(plan.absent)}` }];
  return [
    {
      title: `${heading}\n\n${describePlan(plan, code)}`,
      items: plan.differences.map((difference) => `- ${code(difference)}`),
      noun: "differences",
    },
    ...(plan.catchesUp.length === 0
      ? []
      : [
          {
            title: CATCHES_UP,
            items: plan.catchesUp.map((text) => `- ${code(text)}`),
            noun: "changes",
          },
        ]),
    {
      items: plan.ruleSets.map((each) => describeRuleSet(each, review, code)),
      noun: "rule sets",
      isSpaced: true,
    },
    ...plan.ruleSets
      .filter((ruleSet) => hasOwnChanges(ruleSet, review))
      .slice(0, MOST_TABLES)
      .map((ruleSet) => ({
        title: `Changes of the rules in force, ${nameOfRuleSet(ruleSet, code)}:`,
        ...changeTable(ruleSet.diff),
      })),
  ];
}

function tableSection(table: ReportTable): Section {
  const { title, intro, columns, rows, noun } = table;
  const head = [tableRow(columns), tableRow(columns.map(() => "---"))];
  return {
    title: `#### ${title}\n\n${intro}`,
    ...(rows.length > 0 && { head: head.join("\n") }),
    items: rows.map(tableRow),
    noun,
  };
}

function changeTable({ changes }: RuleSetDiff) {
  return {
    head: CHANGE_TABLE_HEAD,
    items: changes.map((change) =>
      tableRow(changeCells(change, code, MAX_EDITS)),
    ),
    noun: "changes",
  };
}

/**
 * The number of missing fields of events that are shown, and the characters of
 * each.
 */
const MOST_FIELDS = 10;
const LONGEST_FIELD = 120;

const LONGEST_NAME = 400;

/**
 * The section on what the change would have done to past events, one for each rule
 * set that is judged; the details are folded.
 */
export function impactSections(review: Review): Section[] {
  return measuredChanges(review).flatMap(sectionsOfImpact);
}

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

/** The sections on findings: the urgent ones, and folded the others. */
export function findingsSections({ file, findings }: Review): Section[] {
  const blocks = (wanted: (finding: ReviewFinding) => boolean) =>
    findings
      .filter(wanted)
      .map((finding) => codeFence(findingBlock(finding, file)));
  const first = blocks(isUrgent);
  const rest = blocks((finding) => !isUrgent(finding));
  const look = { noun: "findings", isSpaced: true };
  const sections: Section[] = [];
  if (first.length > 0)
    sections.push({ ...look, title: "#### Findings", items: first });
  if (rest.length > 0)
    sections.push(
      foldedSection({
        ...look,
        title: `Notes, and what was found before the change, too: ${rest.length}`,
        items: rest,
      }),
    );
  return sections;
}

/**
 * Whether a reviewer has to see a finding: every error and each new warning,
 * but no notes.
 */
function isUrgent({ severity, isKnown }: ReviewFinding): boolean {
  return severity === "error" || (severity === "warning" && !isKnown);
}

/**
 * The sections on tests: the failed ones, and folded the others and the rules
 * that no test reaches.
 */
export function testsSections({ file, tests }: Review): Section[] {
  if (isAbsent(tests))
    return [{ title: `Tests were not run: ${code(tests.absent)}` }];
  if (tests.tests.length === 0) return [];
  const failed = tests.tests.filter(({ passed }) => !passed);
  const passed = tests.tests.filter(({ passed }) => passed);
  const { notReached } = tests.coverage;
  const sections: Section[] = [];
  if (failed.length > 0)
    sections.push({
      title: "#### Failed tests",
      items: failed.map((test) => codeFence(testBlock(test, file))),
      noun: "failed tests",
      isSpaced: true,
    });
  if (passed.length + notReached.length > 0)
    sections.push(
      foldedSection({
        title: `${count(passed.length, "test")} passed, ${count(notReached.length, "rule")} reached by none`,
        items: [
          ...notReached.map((rule) => `- no test reaches ${code(rule)}`),
          ...passed.map(({ name }) => `- ✓ ${code(name)}`),
        ],
        noun: "lines",
      }),
    );
  return sections;
}
