import {
  describeChanges,
  count,
  CHANGE_COLUMNS,
  changeCells,
  effectText,
} from "@devid/rules/internals";
import {
  type RuleSetDiff,
  visibleText,
  findingBlock,
  testBlock,
} from "@devid/rules";
import { measuredChanges } from "../../review/judged-effect";
import {
  isAbsent,
  type ConditionOutcome,
  type Review,
} from "../../review/review";
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
  titleOf,
} from "../describe/describe-review";
import { USAGE_TITLE } from "../describe/describe-usage";
import { reportTables, type ReportTable } from "../describe/report-table";
import { usageHtml } from "./format-usage-html";
import { impactHtml } from "./impact-html";
import { codeHtml, codesHtml, Markup, markup, quoteHtml } from "./markup";
import { page } from "./page";

/**
 * Formats a review as an HTML page that needs no network and runs no script. It
 * has the content of the Markdown comment, unshortened, and charts.
 */
export function formatReviewHtml(review: Review): string {
  return page(titleOf(review, visibleText), [
    markup`<h1>${new Markup(titleOf(review, quoteHtml))}</h1>
${describeSubject(review, quoteHtml).map(
  (line) => markup`<p class="quiet">${new Markup(line)}</p>
`,
)}`,
    summaryHtml(review),
    changesHtml(review),
    planHtml(review),
    ...reportTables(review, quoteHtml).map(tableHtml),
    ...measuredChanges(review).map(impactHtml),
    usageSection(review),
    findingsHtml(review),
    testsHtml(review),
  ]);
}

function summaryHtml(review: Review): Markup {
  const { base, verdict, conditions, failure } = review;
  const [grade, phrases] = [
    gradeOf(review),
    describeVerdict(review, quoteHtml),
  ];
  return markup`<div class="verdict ${verdict.risk}">
<strong>${grade}</strong>
<ul>
${phrases.map((phrase) => markup`<li>${new Markup(phrase)}</li>`)}
</ul>
${base.note === undefined ? undefined : markup`<p>${codeHtml(base.note)}</p>`}${failure === undefined ? undefined : markup`<pre>${failureText(failure)}</pre>`}
${describeReasons(review).map((reason) => markup`<p class="quiet">${reason}</p>`)}
${conditions.length === 0 ? undefined : markup`<ul class="conditions">${conditions.map(conditionHtml)}</ul>`}
</div>
`;
}

function tableHtml({ title, intro, columns, rows }: ReportTable): Markup {
  const table = markup`<table class="wide">
<tr>${columns.map((column) => markup`<th>${column}</th>`)}</tr>
${rows.map(
  (
    cells,
  ) => markup`<tr>${cells.map((cell, i) => markup`<td data-label="${columns[i] ?? ""}">${new Markup(cell)}</td>`)}</tr>
`,
)}</table>
`;
  return markup`<section><h2>${title}</h2>
<p>${new Markup(intro)}</p>
${rows.length === 0 ? undefined : table}</section>
`;
}

function conditionHtml({
  condition,
  outcome,
  found,
}: ConditionOutcome): Markup {
  const mark = outcome === "does not hold" ? "✓" : "✗";
  return markup`<li>${mark} ${codeHtml(condition)} ${outcome}: ${codeHtml(found)}</li>`;
}

function usageSection({ usage }: Review): Markup | undefined {
  if (usage === undefined) return undefined;
  return markup`<section><h2>${USAGE_TITLE}</h2>
${isAbsent(usage) ? markup`<p>Not counted: ${codeHtml(usage.absent)}</p>` : usageHtml(usage)}</section>
`;
}

function findingsHtml({ file, findings }: Review): Markup | undefined {
  if (findings.length === 0) return undefined;
  const blocks = (isKnown: boolean) =>
    findings
      .filter((finding) => finding.isKnown === isKnown)
      .map(
        (finding) => markup`<pre>${findingBlock(finding, file)}</pre>
`,
      );
  const known = blocks(true);
  return markup`<section><h2>Findings</h2>
${blocks(false)}
${known.length === 0 ? undefined : markup`<details><summary>Found before the change, too: ${known.length}</summary>${known}</details>`}
</section>
`;
}

function testsHtml({ file, tests }: Review): Markup | undefined {
  if (isAbsent(tests))
    return markup`<section><h2>Tests</h2><p>Not run: ${codeHtml(tests.absent)}</p></section>`;
  if (tests.tests.length === 0) return undefined;
  const blocks = (wanted: boolean) =>
    tests.tests
      .filter(({ passed }) => passed === wanted)
      .map(
        (test) => markup`<pre>${testBlock(test, file)}</pre>
`,
      );
  const passed = blocks(true);
  const { notReached } = tests.coverage;
  return markup`<section><h2>Tests</h2>
${blocks(false)}
${passed.length === 0 ? undefined : markup`<details><summary>${count(passed.length, "test")} passed</summary>${passed}</details>`}
${notReached.length === 0 ? undefined : markup`<p>No test reaches ${codesHtml(notReached)}.</p>`}
</section>
`;
}

/** The section on what the file changes. */
export function changesHtml({ base, diff }: Review): Markup | undefined {
  if (isAbsent(diff))
    return markup`<section><h2>Changes</h2><p>Not compared: ${codeHtml(diff.absent)}</p></section>
`;
  if (diff.changes.length === 0) return undefined;
  const against = base.isMissing ? ", compared with no rules" : "";
  const effect = new Markup(effectText(diff.effect, quoteHtml));
  return markup`<section><h2>Changes</h2>
<p>${describeChanges(diff)}${against}. In total: ${effect}.</p>
${changesTable(diff)}</section>
`;
}

/**
 * The section on the deployment: where it differs from the file, each rule set,
 * and the other resources.
 */
export function planHtml(review: Review): Markup | undefined {
  const { plan } = review;
  if (plan === undefined) return undefined;
  if (isAbsent(plan))
    return markup`<section><h2>Plan</h2><p>Not known: ${codeHtml(plan.absent)}</p></section>
`;
  const { differences, catchesUp, ruleSets } = plan;
  return markup`<section><h2>Plan</h2>
<p>${new Markup(describePlan(plan, quoteHtml))}</p>
${
  differences.length === 0
    ? undefined
    : markup`<ul>
${differences.map(
  (difference) => markup`<li>${codeHtml(difference)}</li>
`,
)}</ul>
`
}${
    catchesUp.length === 0
      ? undefined
      : markup`<p>${CATCHES_UP}</p>
<ul>
${catchesUp.map(
  (text) => markup`<li>${codeHtml(text)}</li>
`,
)}</ul>
`
  }${ruleSets.map(
    (
      ruleSet,
    ) => markup`<p>${new Markup(describeRuleSet(ruleSet, review, quoteHtml))}</p>
${hasOwnChanges(ruleSet, review) ? changesTable(ruleSet.diff) : undefined}`,
  )}</section>
`;
}

function changesTable({ changes }: RuleSetDiff): Markup {
  return markup`<table class="wide changes">
<tr>${CHANGE_COLUMNS.map((column) => markup`<th>${column}</th>`)}</tr>
${changes.map(
  (
    change,
  ) => markup`<tr>${changeCells(change, quoteHtml).map((cell, n) => markup`<td data-label="${CHANGE_COLUMNS[n]}">${new Markup(cell)}</td>`)}</tr>
`,
)}</table>`;
}
