import { padColumns } from "@devid/rules/internals";
import { describeRows } from "../../replay/row-counts";
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
} from "../describe/describe-usage";
import { columnsOf, visibleText, wrap } from "@devid/rules";

const NAME_WIDTH = 20;
const ACTION_WIDTH = 6;
const NUMBER_WIDTH = 10;
const SHARE_WIDTH = 7;
const TIME_WIDTH = 16;

/**
 * Formats a usage for a terminal: what each rule decided, the rules that decided
 * nothing and why, and the terms that decided nothing. Lines have at most 80 columns
 * if no word is longer. The result ends with a newline.
 *
 * @param name how the rule set is called
 */
export function formatUsageText(usage: Usage, name?: string): string {
  const title = name === undefined ? "" : `Rules of ${visibleText(name)}: `;
  const parts = [
    wrap("", `${title}${describeUsageEvents(usage)}.`),
    wrap("", describeRows(usage.rows, visibleText)),
    usage.events === 0 ? "" : rulesText(usage),
    usage.events === 0 ? "" : wrap("", describeUnmatched(usage)),
    idleText(usage),
    termsText(usage),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function rulesText(usage: Usage): string {
  const { rules } = usage;
  if (rules.length === 0) return "";
  return [
    row("rule", ["action", "decided", "share", "first (UTC)", "last (UTC)"]),
    ...rules.map((rule) => ruleText(rule, usage)),
  ].join("\n");
}

function ruleText(rule: RuleUsage, usage: Usage): string {
  const cells = usageCells(rule, usage);
  const name = visibleText(rule.name);
  return columnsOf(name) <= NAME_WIDTH
    ? row(name, cells)
    : `${wrap("", name, "  ")}\n${row("", cells)}`;
}

function row(
  name: string,
  [
    action = "",
    decided = "",
    share = "",
    first = "",
    last = "",
  ]: readonly string[],
): string {
  return [
    padColumns(name, NAME_WIDTH),
    action.padEnd(ACTION_WIDTH),
    decided.padStart(NUMBER_WIDTH),
    share.replace("less than ", "<").padStart(SHARE_WIDTH),
    first.padEnd(TIME_WIDTH),
    last,
  ]
    .join(" ")
    .trimEnd();
}

function idleText(usage: Usage): string {
  if (usage.events === 0) return "";
  const idle = idleRules(usage);
  if (idle.length === 0) return "";
  return [
    IDLE_RULES,
    ...idle.map((rule) =>
      wrap(
        `  ${visibleText(rule.name)}: `,
        describeIdle(rule, visibleText),
        "    ",
      ),
    ),
  ].join("\n");
}

function termsText(usage: Usage): string {
  const groups = unusedTerms(usage);
  if (groups.length === 0) return "";
  return [
    wrap("", UNUSED_TERMS),
    ...groups.flatMap(({ rule, unused }) => [
      `  ${visibleText(rule)}`,
      ...unused.map((term) => wrap("    ", visibleText(term), "      ")),
    ]),
  ].join("\n");
}
