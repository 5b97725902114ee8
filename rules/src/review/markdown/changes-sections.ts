import { changeCells, effectMarkup } from "../../report/change-cells";
import { CHANGE_TABLE_HEAD } from "../../report/format-diff-markdown";
import { tableRow } from "../../report/table-row";
import type { RuleSetDiff } from "../../diff";
import {
  describeName,
  describeOthers,
  describePlan,
  describeRuleSet,
  hasOwnChanges,
} from "../describe-plan";
import { describeChanges } from "../describe-verdict";
import { isAbsent, type Review } from "../review";
import { code } from "./code";
import type { Section } from "./fit-sections";

/** Rule sets whose changes are shown in a table; all are described. */
const MOST_TABLES = 5;

/** Edits of one expression that are shown. */
const MAX_EDITS = 20;

/** What the file changes. */
export function changesSections({ base, diff }: Review): Section[] {
  if (isAbsent(diff))
    return [
      {
        title: `#### Changes\n\nNot compared: ${code(diff.absent)}`,
        items: [],
        noun: "changes",
      },
    ];
  if (diff.changes.length === 0) return [];
  const against = base.isMissing ? ", compared with no rules" : "";
  const effect = effectMarkup(diff.effect, code);
  return [
    {
      title: `#### Changes\n\n${describeChanges(diff)}${against}. In total: ${effect}.`,
      ...changeTable(diff),
    },
  ];
}

/** What the deployment does: what of that the file does not say, each rule set, and what else. */
export function planSections(review: Review): Section[] {
  const { plan } = review;
  const heading = "#### Plan";
  if (plan === undefined) return [];
  if (isAbsent(plan))
    return [
      {
        title: `${heading}\n\nNot known: ${code(plan.absent)}`,
        items: [],
        noun: "",
      },
    ];
  const others = describeOthers(plan, code);
  return [
    {
      title: `${heading}\n\n${describePlan(plan, code)}`,
      items: plan.differences.map((difference) => `- ${code(difference)}`),
      noun: "differences",
    },
    {
      items: plan.ruleSets.map((each) => describeRuleSet(each, review, code)),
      noun: "rule sets",
      isSpaced: true,
    },
    ...plan.ruleSets
      .filter((ruleSet) => hasOwnChanges(ruleSet, review))
      .slice(0, MOST_TABLES)
      .map((ruleSet) => ({
        title: `Changes of the rules in force, ${describeName(ruleSet, code)}:`,
        ...changeTable(ruleSet.diff),
      })),
    { items: others === "" ? [] : [others], noun: "resources" },
  ];
}

function changeTable({ changes }: RuleSetDiff) {
  return {
    open: CHANGE_TABLE_HEAD,
    items: changes.map((change) =>
      tableRow(changeCells(change, code, MAX_EDITS)),
    ),
    noun: "changes",
  };
}
