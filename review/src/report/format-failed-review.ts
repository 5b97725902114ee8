import type { FailedReview } from "../review/review";
import { code, shortened } from "@devid/rules/internals";
import {
  describeSubject,
  failureText,
  LONGEST_FAILURE,
  titleOf,
} from "./describe/describe-review";
import { visibleText, wrap, codeFence } from "@devid/rules";
import { markup, Markup, quoteHtml } from "./html/markup";
import { page } from "./html/page";
import { reviewMarker } from "./markdown/review-marker";

/** The wording that a failed review has in every format. */
const GRADE = "High risk";
const VERDICT = "this commit was not reviewed";
const WAY_OUT = [
  "Nothing is known of what this commit changes: what a report said of an earlier commit does not hold for it.",
  "Correct what the message names, and run the review again.",
];

/**
 * Formats the report that replaces a review which ended in an error. It has the
 * marker and the heading of the review, so that it replaces the comment on an
 * earlier commit. The message is shortened to 3,000 characters; the caller must
 * have removed keys from it. The JSON is `{"version": 1, "failed": {...}}`.
 */
export function formatFailedReview(
  failed: FailedReview,
  format: "text" | "markdown" | "html" | "json",
): string {
  const text = failureText(failed.message);
  const { base, ...rest } = failed;
  const subject = {
    ...rest,
    ...(base !== undefined && { base: { name: base } }),
  };
  switch (format) {
    case "json": {
      const message = shortened(failed.message, LONGEST_FAILURE);
      const json = { version: 1, failed: { ...failed, message } };
      return `${JSON.stringify(json, undefined, 2)}\n`;
    }
    case "text":
      return `${[
        wrap("", titleOf(subject, visibleText), "  "),
        ...describeSubject(subject, visibleText).map((line) =>
          wrap("  ", line),
        ),
        "",
        `${GRADE}: ${VERDICT}`,
        "",
        ...text.split("\n").map((line) => wrap("  ", line).trimEnd()),
        "",
        ...WAY_OUT.map((sentence) => wrap("", sentence)),
      ].join("\n")}\n`;
    case "markdown":
      return `${[
        reviewMarker(failed),
        `### ${titleOf(subject, code)}`,
        "",
        ...describeSubject(subject, code).flatMap((line) => [line, ""]),
        `**${GRADE}** · ${VERDICT}`,
        "",
        codeFence(text),
        "",
        ...WAY_OUT,
      ].join("\n")}\n`;
    case "html":
      return page(titleOf(subject, visibleText), [
        markup`<h1>${new Markup(titleOf(subject, quoteHtml))}</h1>
${describeSubject(subject, quoteHtml).map(
  (line) => markup`<p class="quiet">${new Markup(line)}</p>
`,
)}<div class="verdict high">
<strong>${GRADE}</strong>
<p>${VERDICT}</p>
</div>
<pre>${text}</pre>
<p>${WAY_OUT.join(" ")}</p>
`,
      ]);
  }
}
