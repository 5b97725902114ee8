import type {
  Attribute,
  Change,
  Impact,
  RuleImpact,
  TopValue,
} from "../../replay/impact";
import { count, grouped, shortened, tableRow } from "@devid/rules/internals";
import {
  describeEstimate,
  describePart,
  eventsOf,
} from "../../replay/impact-numbers";
import { describeRows } from "../../replay/row-counts";
import { type DiffNames, codeSpan } from "@devid/rules";
import {
  ATTRIBUTE_NAMES,
  describeAction,
  describeAssumed,
  describeBots,
  describeCount,
  describeEvents,
  describeLabels,
  describePossible,
  describeUnlistedRules,
  describeSuspects,
  listedRules,
  MOST_VALUES,
  NOT_OBSERVABLE,
  numbersOf,
  OUTCOMES,
  RULE_NUMBERS,
} from "../describe/describe-impact";
import { bar } from "../text/format-impact-text";

const BAR_WIDTH = 20;

/**
 * Formats an impact for a review comment, with the names of the rule sets above
 * it if they are given. Texts of rules and events are in code spans, so that
 * they cannot end a table, act as markup, or mention anybody. The result ends
 * with a newline.
 */
export function formatImpactMarkdown(
  impact: Impact,
  names?: DiffNames,
): string {
  const { newlyDenied, newlyAllowed } = impact;
  const { listed, others } = listedRules(impact);
  const parts = [
    names ? `${codeSpan(names.before)} → ${codeSpan(names.after)}` : "",
    impactSummaryMarkdown(impact),
    listed.length === 0
      ? ""
      : [RULE_IMPACT_HEAD, ...listed.map(ruleImpactRow)].join("\n"),
    others === 0 ? "" : describeUnlistedRules(others),
    folded("Newly denied", changeMarkdown(newlyDenied, impact)),
    newlyAllowed === "not observable"
      ? ""
      : folded("Newly allowed", changeMarkdown(newlyAllowed, impact)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/**
 * The number of events with each outcome, with bars, and the data that
 * undecided events lack.
 */
export function impactSummaryMarkdown(impact: Impact): string {
  const { total, missing } = impact;
  const all = eventsOf(impact).value;
  const rows = OUTCOMES.map(([outcome, name]) => {
    const estimate = total[outcome];
    const isUnseen =
      outcome === "newlyAllowed" && impact.newlyAllowed === "not observable";
    if (isUnseen) return [name, NOT_OBSERVABLE, "", ""];
    const blocks = bar(estimate.value, all, BAR_WIDTH);
    return [
      name,
      blocks && codeSpan(blocks),
      describePart(estimate.value, all),
      describeEstimate(estimate),
    ];
  });
  const fields = missing.map(
    ({ field, events }) => `${codeSpan(field)} (${count(events, "event")})`,
  );
  const sentences = [
    fields.length > 0 ? `Undetermined events lack ${fields.join(", ")}.` : "",
    describePossible(impact),
    describeAssumed(impact, codeSpan),
    describeLabels(impact, codeSpan),
  ].filter((text) => text !== "");
  return [
    `${describeEvents(impact)}. ${describeRows(impact.rows, codeSpan)}`.trimEnd(),
    "",
    tableRow(["Events", "", "Share", "Number"]),
    tableRow(["---", "---", "--:", "--:"]),
    ...rows.map(tableRow),
    ...(sentences.length > 0 ? ["", sentences.join(" ")] : []),
  ].join("\n");
}

/** The first two rows of a table of `ruleImpactRow`s. */
export const RULE_IMPACT_HEAD = [
  tableRow(["Rule", "Action", ...RULE_NUMBERS]),
  tableRow(["---", "---", "--:", "--:", "--:", "--:", "--:"]),
].join("\n");

/** The impact of one rule, as a row of a table. */
export function ruleImpactRow(rule: RuleImpact): string {
  const numbers = numbersOf(rule).map(({ value }) => grouped(value));
  return tableRow([codeSpan(rule.name), describeAction(rule), ...numbers]);
}

function folded(title: string, text: string): string {
  if (text === "") return "";
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Characters; a longer value ends in `...`. */
const LONGEST_VALUE = 120;

/**
 * A table of what the events of a change have in common; empty if there are no
 * events.
 */
export function changeMarkdown(
  change: Change,
  { sample, suspectThreshold }: Impact,
): string {
  if (change.events === 0) return "";
  const of = sample ? " of the sample" : "";
  const tops = (Object.keys(ATTRIBUTE_NAMES) as Attribute[]).map(
    (attribute) => [
      ATTRIBUTE_NAMES[attribute],
      change.top[attribute]
        .slice(0, MOST_VALUES)
        .map((top) => `${valueOf(top)} ${describeCount(top, change)}`)
        .join("<br>"),
    ],
  );
  return [
    tableRow([`${count(change.events, "event")}${of}`, ""]),
    tableRow(["---", "---"]),
    tableRow(["bots", describeBots(change)]),
    tableRow(["suspect score", describeSuspects(change, suspectThreshold)]),
    ...tops.map(tableRow),
    tableRow(["for example", change.examples.map(codeSpan).join(", ")]),
  ].join("\n");
}

function valueOf({ value }: TopValue): string {
  if (value === undefined) return "none";
  return codeSpan(shortened(value, LONGEST_VALUE));
}
