import { shortened, code, tableRow } from "@devid/rules/internals";
import { describeRows } from "../../replay/row-counts";
import { isAbsent, type Review } from "../../review/review";
import type { RuleUsage, Usage } from "../../usage/usage";
import {
  describeIdle,
  describeUnmatched,
  describeUsageEvents,
  IDLE_RULES,
  idleRules,
  UNUSED_TERMS,
  unusedTerms,
  usageCells,
  USAGE_TITLE,
} from "../describe/describe-usage";
import { foldedSection, type Section } from "./fit-sections";

/** Characters of a rule's name, and of a term. */
const LONGEST = 400;

const short = (text: string) => code(shortened(text, LONGEST));

/**
 * The sections on what the rules of the file decided: what is unused stands open, the
 * figures of all rules are folded.
 */
export function usageSections({ usage }: Pick<Review, "usage">): Section[] {
  if (usage === undefined) return [];
  const heading = `#### ${USAGE_TITLE}`;
  if (isAbsent(usage))
    return [{ title: `${heading}\n\nNot counted: ${code(usage.absent)}` }];
  const rows = describeRows(usage.rows, short);
  const intro =
    `${heading}\n\n${describeUsageEvents(usage)}. ${rows}`.trimEnd();
  if (usage.events === 0) return [{ title: intro }];
  return [
    { title: `${intro} ${describeUnmatched(usage)}`.trimEnd() },
    ...listed(
      IDLE_RULES,
      idleRules(usage).map(
        (rule) => `- ${short(rule.name)}: ${describeIdle(rule, short)}`,
      ),
      "rules",
    ),
    ...listed(
      UNUSED_TERMS,
      unusedTerms(usage).flatMap(({ rule, unused }) =>
        unused.map((term) => `- ${short(rule)}: ${short(term)}`),
      ),
      "terms",
    ),
    foldedSection({
      title: "What each rule decided",
      head: HEAD,
      items: usage.rules.map((rule) => ruleRow(rule, usage)),
      noun: "rules",
    }),
  ];
}

function listed(
  title: string,
  items: readonly string[],
  noun: string,
): Section[] {
  return items.length === 0 ? [] : [{ title, items, noun }];
}

const HEAD = [
  tableRow(["Rule", "Action", "Decided", "Share", "First (UTC)", "Last (UTC)"]),
  tableRow(["---", "---", "---:", "---:", "---", "---"]),
].join("\n");

const ruleRow = (rule: RuleUsage, usage: Usage) =>
  tableRow([short(rule.name), ...usageCells(rule, usage)]);
