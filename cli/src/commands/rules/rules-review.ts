import {
  suiteOfFailure,
  suitesOfReview,
  formatFailedReview,
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
  needsAttention,
} from "@devid/review";
import {
  defineCommand,
  textFlag,
  type ValuesOf,
} from "../../flags/define-command";
import {
  MACHINE_FORMATS,
  reportFlags,
  showSecretsFlag,
  strictFlag,
} from "../../flags/shared-flags";
import { UsageError } from "../../errors";
import { REVIEW_FLAGS, reviewRequest } from "../../sources/review/review-flags";
import { EXIT, reportError } from "../../output/report-error";
import { printReport, formatOf } from "../../output/print-report";
import { hasColors } from "../../output/write-output";
import { makeReview, type NoReview } from "../../sources/review/make-review";

const FLAGS = {
  plan: textFlag(
    "<preview.json> the output of pulumi preview --json: what the deployment does",
  ),
  planEvents: textFlag(
    "<file> event log of that preview, for policies and errors",
  ),
  stack: textFlag("<name> stack of the preview"),
  ...REVIEW_FLAGS,
  strict: strictFlag("when lint did not check everything"),
  ...reportFlags(...MACHINE_FORMATS, "markdown", "html"),
  showSecrets: showSecretsFlag,
};
type Flags = ValuesOf<typeof FLAGS>;

/** `devid rules review`: reports what a reviewer of a rule file has to know. */
export const rulesReview = defineCommand({
  arguments: [["<file>", "a rule file"]],
  flags: FLAGS,
  run: async (path, flags) => {
    const made = await makeReview(reviewRequest(path, flags));
    if (!("review" in made)) {
      reportFailure(made, flags);
      throw made.error;
    }
    const { review, text, error } = made;
    printReport(flags, {
      json: () => review,
      text: () => formatReviewText(review, { color: hasColors(flags) }),
      markdown: () => formatReviewMarkdown(review),
      html: () => formatReviewHtml(review),
      suites: () => suitesOfReview(review, text),
    });
    if (needsAttention(review, flags.strict))
      process.exitCode = EXIT.differences;
    // The report has what could be reviewed, the exit code is the failure's.
    if (error !== undefined) throw error;
    if (review.failure !== undefined) throw new UsageError(review.failure);
  },
});

/** Writes a report of the failure, except to a terminal, where the error is enough. */
function reportFailure({ failed }: NoReview, flags: Flags): void {
  if (flags.out === undefined && formatOf(flags) === "text") return;
  try {
    printReport(flags, {
      json: () => formatFailedReview(failed, "json"),
      text: () => formatFailedReview(failed, "text"),
      markdown: () => formatFailedReview(failed, "markdown"),
      html: () => formatFailedReview(failed, "html"),
      suites: () => [suiteOfFailure(failed.file, failed.message)],
    });
  } catch (error) {
    // The caller prints the first error, which is the cause.
    reportError(error, { json: formatOf(flags) === "json" });
  }
}
