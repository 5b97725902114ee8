import type { Change, Impact, RuleImpact } from "../../replay";
import {
  describeAction,
  describeBots,
  describeEvents,
  describeSuspects,
  NOT_OBSERVABLE,
  OUTCOMES,
} from "../../replay/report/describe-impact";
import {
  count,
  describeEstimate,
  eventsOf,
} from "../../replay/report/event-share";
import { describeShare } from "../event-share";
import { isAbsent, type Review } from "../review";
import { bar } from "./bar";
import { codeHtml, codesHtml, markup, type Markup } from "./markup";
import { timeChart } from "./time-chart";
import { topValues } from "./top-values";

/** What the change would have done to past events. */
export function impactHtml({ impact }: Review): Markup {
  return markup`<section><h2>Past events</h2>
${isAbsent(impact) ? markup`<p>Not looked at: ${codeHtml(impact.absent)}</p>` : measured(impact)}</section>
`;
}

function measured(impact: Impact): Markup {
  const { newlyDenied, newlyAllowed, missing } = impact;
  const fields = missing.map(({ field }) => field);
  return markup`<p>${describeEvents(impact)}.</p>
<div class="scroll"><table class="totals">
${OUTCOMES.map((outcome) => totalRow(outcome, impact))}</table></div>
${
  fields.length === 0
    ? undefined
    : markup`<p>Where it cannot be told, events do not tell ${codesHtml(fields)}.</p>
`
}${timeChart(impact)}${rulesTable(impact)}${changeHtml("newly denied", newlyDenied, impact)}${newlyAllowed === "not observable" ? undefined : changeHtml("newly allowed", newlyAllowed, impact)}`;
}

function totalRow(
  [outcome, name]: (typeof OUTCOMES)[number],
  impact: Impact,
): Markup {
  if (outcome === "newlyAllowed" && impact.newlyAllowed === "not observable")
    return markup`<tr><th scope="row">${name}</th><td colspan="2">${NOT_OBSERVABLE}</td></tr>
`;
  const estimate = impact.total[outcome];
  const share = describeShare(estimate, impact);
  return markup`<tr><th scope="row">${name}</th><td class="number">${share}</td><td>${bar(estimate.value, eventsOf(impact).value, "after")}</td></tr>
`;
}

function rulesTable({ rules }: Impact): Markup | undefined {
  if (rules.length === 0) return undefined;
  const largest = rules.reduce(
    (most, { decidedBefore, decidedAfter }) =>
      Math.max(most, decidedBefore.value, decidedAfter.value),
    0,
  );
  return markup`<h3>Events that each rule decides</h3>
<div class="scroll"><table class="rules">
<tr><th>Rule</th><th>Action</th><th class="number">Before</th><th class="number">After</th><th></th><th class="number">Newly denied</th><th class="number">Newly allowed</th></tr>
${rules.map((rule) => ruleRow(rule, largest))}</table></div>
`;
}

function ruleRow(rule: RuleImpact, largest: number): Markup {
  const { name, decidedBefore, decidedAfter, outcomes } = rule;
  const numbers = [
    decidedBefore,
    decidedAfter,
    outcomes.newlyDenied,
    outcomes.newlyAllowed,
  ].map((each) => markup`<td class="number">${describeEstimate(each)}</td>`);
  const bars = markup`<td>${bar(decidedBefore.value, largest, "before")}${bar(decidedAfter.value, largest, "after")}</td>`;
  return markup`<tr><td>${codeHtml(name)}</td><td>${describeAction(rule)}</td>${numbers.toSpliced(2, 0, bars)}</tr>
`;
}

function changeHtml(
  what: string,
  change: Change,
  { suspectThreshold, sample }: Impact,
): Markup | undefined {
  if (change.events === 0) return undefined;
  const of = sample ? " of the sample" : "";
  return markup`<h3>${count(change.events, "event")}${of} ${what}</h3>
<ul><li>bots: ${describeBots(change)}</li><li>suspect score: ${describeSuspects(change, suspectThreshold)}</li><li>for example ${codesHtml(change.examples)}</li></ul>
${topValues(change)}`;
}
