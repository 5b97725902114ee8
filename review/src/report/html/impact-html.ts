import type {
  Attribute,
  Change,
  Impact,
  Period,
  RuleImpact,
  TopValue,
} from "../../replay/impact";
import { count, grouped, shortened } from "@devid/rules/internals";
import {
  describeEstimate,
  describeShare,
  eventsOf,
} from "../../replay/impact-numbers";
import type { MeasuredChange } from "../../review/judged-effect";
import { isAbsent } from "../../review/review";
import {
  ATTRIBUTE_NAMES,
  describeAction,
  describeBots,
  describeCount,
  describeEvents,
  describeLabels,
  describePossible,
  describeSuspects,
  describeUnlistedRules,
  listedRules,
  NOT_OBSERVABLE,
  numbersOf,
  OUTCOMES,
  RULE_NUMBERS,
} from "../describe/describe-impact";
import { pastEventsTitle } from "../describe/describe-review";
import { minute } from "../describe/describe-usage";
import {
  codeHtml,
  codesHtml,
  Markup,
  markup,
  quoteHtml,
  rowsHtml,
} from "./markup";
import { shareBar } from "./share-bar";
import { wideTable } from "./wide-table";

/** The section on what the change would have done to past events. */
export function impactHtml(change: MeasuredChange): Markup {
  const { impact } = change;
  return markup`<h2>${new Markup(pastEventsTitle(change, quoteHtml))}</h2>
${isAbsent(impact) ? markup`<p>Not looked at: ${codeHtml(impact.absent)}</p>` : measured(impact)}
`;
}

function measured(impact: Impact): Markup {
  const { newlyDenied, newlyAllowed, missing } = impact;
  const fields = missing.map(({ field }) => field);
  return markup`<p>${describeEvents(impact)}.${rowsHtml(impact.rows)}</p>
<table class="totals">
${OUTCOMES.map((outcome) => totalRow(outcome, impact))}</table>
${
  fields.length === 0
    ? undefined
    : markup`<p>Undetermined events lack ${codesHtml(fields)}.</p>
`
}${boundsHtml(impact)}${timeChart(impact)}${rulesTable(impact)}${changeHtml("newly denied", newlyDenied, impact)}${newlyAllowed === "not observable" ? undefined : changeHtml("newly allowed", newlyAllowed, impact)}`;
}

function boundsHtml(impact: Impact): Markup | undefined {
  const possible = describePossible(impact);
  const { assumedNotSent } = impact;
  const labels = describeLabels(impact, quoteHtml);
  if (possible === "" && labels === "" && assumedNotSent.length === 0)
    return undefined;
  return markup`<p>${possible}${
    assumedNotSent.length === 0
      ? undefined
      : markup` Assumed not sent where an event lacks them: ${codesHtml(assumedNotSent)}.`
  }${labels === "" ? undefined : new Markup(` ${labels}`)}</p>
`;
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
  return markup`<tr><th scope="row">${name}</th><td class="number">${share}</td><td>${shareBar(estimate.value, eventsOf(impact).value, "after")}</td></tr>
`;
}

/** The heading of the column with bars is empty. */
const RULE_COLUMNS = ["Rule", "Action", ...RULE_NUMBERS.toSpliced(2, 0, "")];

function rulesTable(impact: Impact): Markup | undefined {
  const { listed, others } = listedRules(impact);
  const rest =
    others === 0
      ? undefined
      : markup`<p class="quiet">${describeUnlistedRules(others)}</p>
`;
  if (listed.length === 0) return rest;
  const largest = listed.reduce(
    (most, { decidedBefore, decidedAfter }) =>
      Math.max(most, decidedBefore.value, decidedAfter.value),
    0,
  );
  const rows = listed.map((rule) => ruleCells(rule, largest));
  return markup`<h3>Events that each rule decides</h3>
${wideTable("wide rules", RULE_COLUMNS, rows, [2, 3, 4, 5, 6, 7])}${rest}`;
}

function ruleCells(rule: RuleImpact, largest: number) {
  const { name, decidedBefore, decidedAfter } = rule;
  const bars = markup`${shareBar(decidedBefore.value, largest, "before")}${shareBar(decidedAfter.value, largest, "after")}`;
  const numbers = numbersOf(rule).map(describeEstimate);
  return [
    codeHtml(name),
    describeAction(rule),
    ...numbers.slice(0, 2),
    bars,
    ...numbers.slice(2),
  ];
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

/** Height of the drawing in its own units; the page stretches its width. */
const HEIGHT = 100;

/**
 * Draws the number of denied events over time, for the rules compared with and
 * for the proposed ones.
 */
export function timeChart({ periods, range }: Impact): Markup | undefined {
  if (periods.length === 0) return undefined;
  const largest = Math.max(
    ...periods.map(({ deniedBefore, deniedAfter }) =>
      Math.max(deniedBefore, deniedAfter),
    ),
  );
  const path = (of: "deniedBefore" | "deniedAfter") =>
    steps(periods.map((period) => (largest ? period[of] / largest : 0)));
  return markup`<figure>
<figcaption class="ends"><span>Denied at a time: <span class="key before">before (dashed)</span>, <span class="key after">after</span></span><span class="quiet">up to ${grouped(largest)}</span></figcaption>
<svg class="chart" role="img" aria-label="Denied events over time, before and after" viewBox="0 -2 ${periods.length} ${HEIGHT + 4}" preserveAspectRatio="none">
<path class="before" d="${path("deniedBefore")}"/>
<path class="after" d="${path("deniedAfter")}"/>
${periods.map(hint)}</svg>
<div class="ends quiet"><span>${minute(range.start)}</span><span>${minute(range.end)} UTC</span></div>
</figure>`;
}

/** Draws a stepped line: one step for each value, from 0 to 1. */
function steps(values: readonly number[]): string {
  return values
    .map((value, i) => {
      const y = (HEIGHT * (1 - value)).toFixed(1);
      return `${i === 0 ? "M0 " : "V"}${y}H${i + 1}`;
    })
    .join("");
}

/**
 * A text that a browser shows when the pointer is over this period of the
 * chart.
 */
function hint({ start, events, deniedBefore, deniedAfter }: Period, i: number) {
  return markup`<rect x="${i}" y="-2" width="1" height="${HEIGHT + 4}"><title>from ${minute(start)} UTC: of ${grouped(events)} events ${grouped(deniedBefore)} denied before, ${grouped(deniedAfter)} after</title></rect>
`;
}

/** Characters of a value. */
const LONGEST_VALUE = 300;

/**
 * Charts of the most frequent values among the events of a change, one chart
 * for each attribute.
 */
export function topValues(change: Change): Markup {
  const attributes = Object.keys(ATTRIBUTE_NAMES) as Attribute[];
  const charts = attributes
    .filter((attribute) => change.top[attribute].length > 0)
    .map(
      (attribute) => markup`<div><h3>${ATTRIBUTE_NAMES[attribute]}</h3><table>
${change.top[attribute].map((top) => valueRow(top, change))}</table></div>
`,
    );
  return markup`<div class="tops">
${charts}</div>
`;
}

function valueRow(top: TopValue, change: Change): Markup {
  const name =
    top.value === undefined
      ? markup`<span class="quiet">none</span>`
      : codeHtml(shortened(top.value, LONGEST_VALUE));
  return markup`<tr><td>${name}${shareBar(top.events, change.events, "after")}</td><td class="number">${describeCount(top, change)}</td></tr>
`;
}
