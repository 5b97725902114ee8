import { setFlagsFromString } from "node:v8";
import {
  suiteOfFailure,
  suitesOfReview,
  formatFailedReview,
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
  needsAttention,
  type FailedReview,
} from "@devid/review";
import {
  Command,
  MACHINE_FORMATS,
  planOption,
  reportOptions,
  showSecretsOption,
  strictOption,
} from "../../flags/shared-options";
import {
  reviewOptions,
  reviewRequest,
  type ReviewFlags,
} from "../../flags/review-options";
import { EXIT, reportError } from "../../output/report-error";
import {
  printReport,
  formatOf,
  type ReportFlags,
} from "../../output/print-report";
import { hasColors } from "../../output/write-output";
import { makeReview, type NoReview } from "../../sources/review/make-review";

type Format = (typeof MACHINE_FORMATS)[number] | "text" | "markdown" | "html";

interface Flags extends ReviewFlags, ReportFlags<Format> {
  readonly strict?: true;
}

/** `devid rules review`: reports what a reviewer of a rule file has to know. */
export function rulesReview(): Command {
  return new Command("review")
    .argument("<file>", "a rule file")
    .flags(planOption())
    .option(
      "--plan-events <file>",
      "event log of that preview, for policies and errors",
    )
    .option(
      "--plan-log <file>",
      "output of the commands before the preview, shown when there is no preview",
    )
    .option("--stack <name>", "stack of the preview")
    .flags(
      reviewOptions(),
      strictOption("when lint did not check everything"),
      reportOptions(...MACHINE_FORMATS, "markdown", "html"),
      showSecretsOption(),
    )
    .action(async (path: string, flags: Flags) => {
      // Otherwise V8 lets the heap grow to four times what is in use: 570 MB for 10,000
      // rules instead of 330 (docs/benchmarks.md).
      setFlagsFromString("--heap-growing-percent=50");
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
      if (review.failure !== undefined) {
        process.stderr.write(`devid: ${review.failure}\n`);
        process.exitCode = EXIT.error;
      }
    });
}

/** Writes a report of the failure, except to a terminal, where the error is enough. */
function reportFailure({ failed, second }: NoReview, flags: Flags): void {
  if (flags.out === undefined && formatOf(flags) === "text") return;
  try {
    if (failed === undefined) throw second;
    writeFailed(failed, flags);
  } catch (error) {
    // The caller prints the first error, which is the cause.
    reportError(error, { json: formatOf(flags) === "json" });
  }
}

function writeFailed(failed: FailedReview, flags: Flags): void {
  const printed = (format: "text" | "markdown" | "html" | "json") => () =>
    formatFailedReview(failed, format);
  printReport(flags, {
    json: printed("json"),
    text: printed("text"),
    markdown: printed("markdown"),
    html: printed("html"),
    suites: () => [suiteOfFailure(failed.file, failed.message)],
  });
}
