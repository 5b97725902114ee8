import { setFlagsFromString } from "node:v8";
import type { Client } from "@devid/sdk";
import { RuleSetDiffs } from "@devid/rules";
import {
  suiteOfFailure,
  suitesOfReview,
  formatFailedReview,
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
  MAX_UNDETERMINED,
  MIN_EVENTS,
  needsAttention,
  parseFailCondition,
  reviewRules,
  type Review,
} from "@devid/review";
import { InvalidArgumentError } from "commander";
import {
  baseOption,
  Command,
  formatOf,
  MACHINE_FORMATS,
  maxRulesOption,
  planOption,
  reportOptions,
  showSecretsOption,
  strictOption,
  workspaceOptions,
  type ReportFlags,
} from "../../flags/shared-options";
import {
  assumeNotSentOption,
  sampleOptions,
  timeOptions,
  warehouseOptions,
} from "../../flags/past-events-options";
import { checkWarehouseFlags } from "../../sources/warehouse-events";
import { configuredClient } from "../../sources/configured-client";
import {
  percentFlag,
  repeatedFlag,
  wholeNumberFlag,
} from "../../flags/flag-values";
import { errorText, EXIT, reportError } from "../../output/report-error";
import { reviewIdentity } from "../../sources/review/review-identity";
import {
  reviewSubject,
  type ReviewRequest,
} from "../../sources/review/review-subject";
import { InterruptedError, UsageError } from "../../errors";
import {
  isSuiteFormat,
  writeSuites,
  type SuiteFormat,
} from "../../output/machine-report";
import { withoutKeys } from "../../output/without-keys";
import { hasColors, jsonReport, writeReport } from "../../output/write-output";

type Format = (typeof MACHINE_FORMATS)[number] | "text" | "markdown" | "html";

interface Flags
  extends
    Omit<ReviewRequest, "path" | "minEvents" | "maxUndetermined">,
    ReportFlags<Format> {
  readonly region?: string;
  readonly minEvents?: number;
  readonly maxUndetermined?: number;
  readonly failOn?: readonly string[];
  readonly strict?: true;
}

/** `devid rules review`: reports what a reviewer of a rule file has to know. */
export function rulesReview(): Command {
  return new Command("review")
    .argument("<file>", "a rule file")
    .flags(
      baseOption("default: the branch that it is to be merged into"),
      planOption(),
    )
    .option(
      "--plan-events <file>",
      "event log of that preview, for policies and errors",
    )
    .option(
      "--plan-log <file>",
      "output of the commands before the preview, shown when there is no preview",
    )
    .option(
      "--resource <name|urn>",
      "rule set of the preview that the file describes; may be repeated (default: the rule sets with its rules)",
      repeatedFlag,
    )
    .option("--stack <name>", "stack of the preview")
    .flags(timeOptions(), warehouseOptions(), sampleOptions())
    .option(
      "--min-events <n>",
      "with fewer past events, conditions on events cannot be judged (default: 100)",
      wholeNumberFlag,
    )
    .option(
      "--max-undetermined <percent>",
      "with a larger share of undetermined past events, conditions on events cannot be judged (default: 5%)",
      percentFlag,
    )
    .flags(assumeNotSentOption(), maxRulesOption())
    .option("--no-impact", "do not replay past events")
    .option(
      "--usage",
      "also count what each rule of the file decided, over all past events of the range",
    )
    .flags(
      workspaceOptions(
        "environment of live rules and events (default: the plan's, then the default environment)",
      ),
    )
    .option(
      "--commit <sha>",
      "commit that the report names (default: HEAD)",
      commitFlag,
    )
    .option(
      "--recover",
      "review a recovery, which puts the rules of the main branch in force again; compares with live",
    )
    .option(
      "--fail-on <condition>",
      "fail when this condition holds or cannot be judged; may be repeated",
      repeatedFlag,
    )
    .flags(
      strictOption("when lint did not check everything"),
      reportOptions(...MACHINE_FORMATS, "markdown", "html"),
      showSecretsOption(),
    )
    .action(async (path: string, flags: Flags) => {
      // Otherwise V8 lets the heap grow to four times what is in use: 570 MB for 10,000
      // rules instead of 330 (docs/benchmarks.md).
      setFlagsFromString("--heap-growing-percent=50");
      checkWarehouseFlags(flags);
      checkUsageFlags(flags);
      const { minEvents = MIN_EVENTS, maxUndetermined = MAX_UNDETERMINED } =
        flags;
      const request = { ...flags, path, minEvents, maxUndetermined };
      const { review, error } = await reviewOrReport(request, flags);
      const format = formatOf(flags);
      if (isSuiteFormat(format))
        writeSuites(suitesOfReview(review), format, flags.out);
      else writeReport(formatted(review, format, flags), flags.out);
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

function checkUsageFlags({ usage, events, sample, within }: Flags): void {
  if (!usage || events !== undefined) return;
  if (sample === undefined && within === undefined) return;
  throw new UsageError(
    "--usage counts all events: leave --sample and --within out, or give a warehouse with --events.",
  );
}

/**
 * Makes the review. If that fails for a reason that lies outside the rule file, such as
 * a key that is refused, the review has what is known without the service, and `error`
 * is the failure. If there is nothing to review, a report of the failure takes its
 * place.
 */
async function reviewOrReport(
  request: ReviewRequest,
  flags: Flags,
): Promise<{ review: Review; error?: Error }> {
  try {
    const client = configuredClient(flags);
    try {
      return { review: await reviewOf(request, flags, client) };
    } catch (error) {
      const isOutside = error instanceof Error && !isInterruption(error);
      if (!isOutside || error instanceof UsageError) throw error;
      const failure = errorText(error);
      const review = await reviewOf({ ...request, failure }, flags, client);
      return { review, error };
    }
  } catch (error) {
    const format = formatOf(flags);
    if (flags.out !== undefined || format !== "text")
      await reportFailure(request, flags, error);
    throw error;
  }
}

async function reviewOf(
  request: ReviewRequest,
  { failOn = [], strict, ...flags }: Flags,
  client: Client,
): Promise<Review> {
  const conditions = failOn.map(parseFailCondition);
  if (strict && conditions.length > 0)
    throw new UsageError(
      "With --fail-on, only what it names fails a review: write --fail-on lint:warning instead of --strict.",
    );
  const diffs = new RuleSetDiffs();
  const subject = await reviewSubject(request, client, conditions, diffs);
  const review = reviewRules(subject, diffs);
  return withoutKeys(review, flags);
}

const isInterruption = (error: unknown) => error instanceof InterruptedError;

async function reportFailure(
  request: ReviewRequest,
  flags: Flags,
  error: unknown,
): Promise<void> {
  try {
    const { path: file, ...identity } = await reviewIdentity(request);
    const { base } = request;
    const failed = {
      ...{ file, ...identity, message: errorText(error) },
      ...(base !== undefined && { base }),
    };
    const shown = withoutKeys(failed, flags);
    const format = formatOf(flags);
    if (isSuiteFormat(format))
      writeSuites([suiteOfFailure(file, shown.message)], format, flags.out);
    else writeReport(formatFailedReview(shown, format), flags.out);
  } catch (second) {
    // The caller prints the first error, which is the cause.
    reportError(second, { json: formatOf(flags) === "json" });
  }
}

function formatted(
  review: Review,
  format: Exclude<Format, SuiteFormat>,
  flags: Flags,
): string {
  switch (format) {
    case "json":
      return jsonReport(review);
    case "markdown":
      return formatReviewMarkdown(review);
    case "html":
      return formatReviewHtml(review);
    case "text":
      return formatReviewText(review, { color: hasColors(flags) });
  }
}

function commitFlag(text: string): string {
  if (/^[0-9a-f]{40}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "It has to be a whole commit: 40 hexadecimal digits.",
  );
}
