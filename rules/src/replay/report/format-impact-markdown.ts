import { codeSpan } from "../../report/code-span";
import type { DiffNames } from "../../report/diff-names";
import { tableRow } from "../../report/table-row";
import type { Impact, RuleImpact } from "../impact";
import { bar } from "./bar";
import { changeMarkdown } from "./change-markdown";
import {
  describeAction,
  describeEvents,
  describeOthers,
  listedRules,
  NOT_OBSERVABLE,
  OUTCOMES,
} from "./describe-impact";
import {
  count,
  describeEstimate,
  describePart,
  eventsOf,
  grouped,
} from "./event-share";

const BAR_WIDTH = 20;

/**
 * An impact for a comment of a review, below the names of the rule sets if they
 * are given. All that comes from rules and events
 * stands in code spans, so that it can neither end a table, nor be read as
 * markup, nor mention anybody. It ends in a line end.
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
    others === 0 ? "" : describeOthers(others),
    folded("Newly denied", changeMarkdown(newlyDenied, impact)),
    newlyAllowed === "not observable"
      ? ""
      : folded("Newly allowed", changeMarkdown(newlyAllowed, impact)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** How many events become what, with bars, and what is missing where it cannot be told. */
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
  return [
    `${describeEvents(impact)}.`,
    "",
    tableRow(["Events", "", "Share", "Number"]),
    tableRow(["---", "---", "--:", "--:"]),
    ...rows.map(tableRow),
    ...(fields.length > 0
      ? [
          "",
          `Where it cannot be told, events do not tell ${fields.join(", ")}.`,
        ]
      : []),
  ].join("\n");
}

/** The first two rows of a table of `ruleImpactRow`s. */
export const RULE_IMPACT_HEAD = [
  tableRow([
    "Rule",
    "Action",
    "Decides now",
    "Would decide",
    "Newly denied",
    "Newly allowed",
    "Cannot tell",
  ]),
  tableRow(["---", "---", "--:", "--:", "--:", "--:", "--:"]),
].join("\n");

/** What one rule does, as a row of a table. */
export function ruleImpactRow(rule: RuleImpact): string {
  const { name, decidedBefore, decidedAfter, outcomes } = rule;
  const { newlyDenied, newlyAllowed, cannotTell } = outcomes;
  const numbers = [
    decidedBefore,
    decidedAfter,
    newlyDenied,
    newlyAllowed,
    cannotTell,
  ].map(({ value }) => grouped(value));
  return tableRow([codeSpan(name), describeAction(rule), ...numbers]);
}

function folded(title: string, text: string): string {
  if (text === "") return "";
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}
