import {
  CHANGE_COLUMNS,
  changeCells,
  count,
  describeChanges,
  effectText,
  type Quote,
} from "@devid/rules/internals";
import { findingBlock, testBlock, type RuleSetDiff } from "@devid/rules";
import { nameOfRuleSet } from "../../review/list-names";
import { isAbsent, type Review, type ReviewFinding } from "../../review/review";
import { describePlan, describeRuleSet, hasOwnChanges } from "./describe-plan";
import { reportTables, type ReportSection } from "./report-section";

/** How much of the changes a report shows. Default: everything. */
interface SectionOptions {
  /** Edits of one expression. */
  readonly maxEdits?: number;
  /** Rule sets whose changes are in a table. All are described. */
  readonly maxTables?: number;
}

/** What the file changes and what the deployment does. */
export function changeSections(
  review: Review,
  quote: Quote,
  options: SectionOptions = {},
): ReportSection[] {
  return [
    ...ofFile(review, quote, options),
    ...ofPlan(review, quote, options),
    ...reportTables(review, quote),
  ];
}

function ofFile(
  { base, diff }: Review,
  quote: Quote,
  { maxEdits }: SectionOptions,
): ReportSection[] {
  const title = "Changes";
  if (isAbsent(diff))
    return [{ title, intro: `Not compared: ${quote(diff.absent)}` }];
  if (diff.changes.length === 0) return [];
  const against = base.isMissing ? ", compared with no rules" : "";
  const intro = `${describeChanges(diff)}${against}. In total: ${effectText(diff.effect, quote)}.`;
  return [{ title, intro, ...changeTable(diff, quote, maxEdits) }];
}

/** Where the deployment differs from the file, and each rule set. */
function ofPlan(
  review: Review,
  quote: Quote,
  { maxEdits, maxTables }: SectionOptions,
): ReportSection[] {
  const { plan } = review;
  const title = "Plan";
  if (plan === undefined) return [];
  if (isAbsent(plan))
    return [{ title, intro: `Not known: ${quote(plan.absent)}` }];
  const { differences, ruleSets } = plan;
  return [
    {
      title,
      intro: describePlan(plan, quote),
      list: differences.map(quote),
      noun: "differences",
    },
    ...listed(
      "What happens to each rule set:",
      ruleSets.map((each) => describeRuleSet(each, review, quote)),
      "rule sets",
    ),
    ...ruleSets
      .filter((ruleSet) => hasOwnChanges(ruleSet, review))
      .slice(0, maxTables)
      .map((ruleSet) => ({
        intro: `Changes of the rules in force, ${nameOfRuleSet(ruleSet, quote)}:`,
        ...changeTable(ruleSet.diff, quote, maxEdits),
      })),
  ];
}

const listed = (intro: string, list: readonly string[], noun: string) =>
  list.length === 0 ? [] : [{ intro, list, noun }];

const changeTable = (
  { changes }: RuleSetDiff,
  quote: Quote,
  maxEdits?: number,
) => ({
  table: {
    columns: CHANGE_COLUMNS,
    rows: changes.map((change) => changeCells(change, quote, maxEdits)),
  },
  noun: "changes",
});

/** What checks found: findings and failed tests, and folded what is not urgent. */
export function checkSections(
  { file, findings, tests }: Review,
  quote: Quote,
): ReportSection[] {
  const blocks = (wanted: boolean) =>
    findings
      .filter((finding) => isUrgent(finding) === wanted)
      .map((finding) => findingBlock(finding, file));
  const rest = blocks(false);
  const sections: ReportSection[] = [
    { title: "Findings", blocks: blocks(true), noun: "findings" },
    {
      title: `Notes, and what was found before the change, too: ${rest.length}`,
      blocks: rest,
      noun: "findings",
      isFolded: true,
    },
  ];
  if (isAbsent(tests))
    sections.push({
      title: "Tests",
      intro: `Not run: ${quote(tests.absent)}`,
    });
  else if (tests.tests.length > 0) {
    const failed = tests.tests.filter(({ passed }) => !passed);
    const passed = tests.tests.filter((test) => test.passed);
    const { notReached } = tests.coverage;
    sections.push(
      {
        title: "Failed tests",
        blocks: failed.map((test) => testBlock(test, file)),
        noun: "failed tests",
      },
      {
        title: `${count(passed.length, "test")} passed, ${count(notReached.length, "rule")} reached by none`,
        list: [
          ...notReached.map((rule) => `no test reaches ${quote(rule)}`),
          ...passed.map(({ name }) => `✓ ${quote(name)}`),
        ],
        noun: "lines",
        isFolded: true,
      },
    );
  }
  return sections.filter(
    ({ intro, blocks, list }) => intro ?? (blocks ?? list ?? []).length > 0,
  );
}

/**
 * Whether a reviewer has to see a finding: every error and each new warning,
 * but no notes.
 */
function isUrgent({ severity, isKnown }: ReviewFinding): boolean {
  return severity === "error" || (severity === "warning" && !isKnown);
}
