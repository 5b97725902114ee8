import { findingBlock } from "../../report/finding-block";
import { testBlock } from "../../rule-tests";
import { visibleText } from "../../report/visible-text";
import { describeReasons, describeVerdict, gradeOf } from "../describe-verdict";
import { count } from "../../replay/report/event-share";
import { isAbsent, type ConditionOutcome, type Review } from "../review";
import { describeSubject, titleOf } from "../heading";
import { changesHtml, planHtml } from "./changes-html";
import { codeHtml, codesHtml, Markup, markup, quote } from "./markup";
import { impactHtml } from "./impact-html";
import { page } from "./page";

/**
 * A review as an HTML page that needs no network and runs no script: the
 * content of the comment with nothing left out, and charts.
 */
export function formatReviewHtml(review: Review): string {
  return page(titleOf(review, visibleText), [
    markup`<h1>${new Markup(titleOf(review, quote))}</h1>
${describeSubject(review, quote).map(
  (line) => markup`<p class="quiet">${new Markup(line)}</p>
`,
)}`,
    summaryHtml(review),
    changesHtml(review),
    planHtml(review),
    impactHtml(review),
    findingsHtml(review),
    testsHtml(review),
  ]);
}

function summaryHtml(review: Review): Markup {
  const { base, verdict, conditions } = review;
  const [grade, phrases] = [gradeOf(review), describeVerdict(review, quote)];
  return markup`<div class="verdict ${verdict.risk}">
<strong>${grade}</strong>
<ul>
${phrases.map((phrase) => markup`<li>${new Markup(phrase)}</li>`)}
</ul>
${base.note === undefined ? undefined : markup`<p>${codeHtml(base.note)}</p>`}
${describeReasons(review).map((reason) => markup`<p class="quiet">${reason}</p>`)}
${conditions.length === 0 ? undefined : markup`<ul class="conditions">${conditions.map(conditionHtml)}</ul>`}
</div>
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
