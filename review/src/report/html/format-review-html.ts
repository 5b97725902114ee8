import { CHANGE_COLUMNS } from "@devid/rules/internals";
import { visibleText } from "@devid/rules";
import { measuredChanges } from "../../review/judged-effect";
import { isAbsent, type Review } from "../../review/review";
import {
  describeCondition,
  describeReasons,
  describeSubject,
  describeVerdict,
  failureText,
  gradeOf,
  titleOf,
} from "../describe/describe-review";
import { USAGE_TITLE } from "../describe/describe-usage";
import type { ReportSection } from "../describe/report-section";
import { changeSections, checkSections } from "../describe/review-sections";
import { usageHtml } from "./format-usage-html";
import { impactHtml } from "./impact-html";
import { codeHtml, Markup, markup, quoteHtml } from "./markup";
import { page } from "./page";
import { wideTable } from "./wide-table";

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
    ...changeSections(review, quoteHtml).map(sectionHtml),
    ...measuredChanges(review).map(impactHtml),
    usageSection(review),
    ...checkSections(review, quoteHtml).map(sectionHtml),
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
${conditions.length === 0 ? undefined : markup`<ul class="conditions">${conditions.map((condition) => markup`<li>${new Markup(describeCondition(condition, quoteHtml))}</li>`)}</ul>`}
</div>
`;
}

function sectionHtml({
  title,
  intro,
  table,
  list = [],
  blocks = [],
  isFolded,
}: ReportSection): Markup {
  const body = markup`${
    intro &&
    markup`<p>${new Markup(intro)}</p>
`
  }${
    list.length > 0 &&
    markup`<ul>
${list.map(
  (text) => markup`<li>${new Markup(text)}</li>
`,
)}</ul>
`
  }${table && tableHtml(table)}${blocks.map(
    (text) => markup`<pre>${text}</pre>
`,
  )}`;
  return isFolded
    ? markup`<details><summary>${title}</summary>
${body}</details>
`
    : markup`${
        title &&
        markup`<h2>${title}</h2>
`
      }${body}`;
}

function tableHtml({
  columns,
  rows,
}: NonNullable<ReportSection["table"]>): Markup {
  const classes = columns === CHANGE_COLUMNS ? "wide changes" : "wide";
  const cells = rows.map((row) => row.map((cell) => new Markup(cell)));
  return wideTable(classes, columns, cells);
}

function usageSection({ usage }: Review): Markup | undefined {
  if (usage === undefined) return undefined;
  return markup`<h2>${USAGE_TITLE}</h2>
${isAbsent(usage) ? markup`<p>Not counted: ${codeHtml(usage.absent)}</p>` : usageHtml(usage)}
`;
}
