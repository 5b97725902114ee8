import { join } from "node:path";
import { readPreview, RULE_SET } from "@devid/pulumi/state";
import {
  formatFailedReview,
  formatReviewMarkdown,
  formatReviewText,
  needsAttention,
} from "@devid/review";
import { UsageError } from "../errors";
import {
  reviewRequest,
  type ReviewFlags,
} from "../sources/review/review-flags";
import { errorText, EXIT, exitCodeOf } from "../output/report-error";
import { failureOf, type Failure } from "../output/without-keys";
import { inPrivateFolder, removeFiles, writeTo } from "../output/write-output";
import { inForceNow } from "../sources/live-rules";
import { GitRepository } from "../sources/review/git-repository";
import { makeReview } from "../sources/review/make-review";
import { runPulumi } from "../sources/pulumi";
import { isFile, readOutput } from "../sources/rule-files";
import { IN_FORCE_FILE, writeInForce } from "./in-force-file";
import type { CodeHost, RunnerVariables } from "./code-host";
import {
  COMMENT_LIMIT,
  cutToFit,
  endOf,
  LONGEST_TEXT,
  putComment,
} from "./comments";
import type { PlannedDigests } from "./fit-expected-in-force";
import { PLAN_FILE, recordLine, type PlanRecord } from "./plan-record";
import { packPlan, type ReviewedPlan } from "./reviewed-plan";
import { planPlaceOf, type Subject } from "./subject";

/** The preview, as reports name it. */
const PREVIEW_FILE = "preview.json";
const LOG_FILE = "plan.log";

/** Conditions that fail every review of a pipeline. */
export const ALWAYS = ["lint:error", "tests"];

/** How a review runs. */
export interface ReviewOptions extends ReviewFlags {
  /** Folder of a policy pack that judges the plan. */
  readonly policyPack?: string;
  /** JSON file with the settings of the policy pack. */
  readonly policyPackConfig?: string;
}

/**
 * Reviews a rule file together with the plan of its stack, comments on the request (or, for
 * a recovery, on the commit), and keeps the plan if nothing fails the review.
 * @returns the exit code: 0 if nothing fails it
 */
export async function reviewInPipeline(
  host: CodeHost,
  subject: Subject,
  options: ReviewOptions,
  env: RunnerVariables,
): Promise<number> {
  if (env.GITHUB_EVENT_NAME === "pull_request_target")
    throw new UsageError(
      "A review runs the program of the pull request. With pull_request_target, a fork would get the keys: use pull_request.",
    );
  const repository = await GitRepository.around(subject.path);
  if (options.recover) await refuseOlderCommit(repository, host.main);
  removeFiles(PLAN_FILE, IN_FORCE_FILE, PREVIEW_FILE, LOG_FILE);
  const request = options.recover ? undefined : await host.requestOfThis();
  const commit =
    options.commit ?? (await reviewedCommit(repository, host, request));
  const { planned, text, exitCode } = await inPrivateFolder(async (folder) => ({
    planned: await planOf(subject, options, folder),
    ...(await reviewText(subject, { ...options, commit }, folder)),
  }));
  const kept =
    exitCode === EXIT.ok && planned && "plan" in planned
      ? keepPlan(subject, { ...planned, commit }, host, env)
      : undefined;
  const comment = `${cutToFit(text, endOf(host, commit))}\n\n${recordLine(kept)}\n`;
  if (env.GITHUB_STEP_SUMMARY)
    writeTo(env.GITHUB_STEP_SUMMARY, text, { flag: "a" });
  if (options.recover) await host.addComment({ commit }, comment);
  else if (request !== undefined) {
    const newest = await host.newestCommit(request);
    const done =
      newest === commit
        ? await putComment(host, request, comment)
        : `The newest commit is ${newest}, whose own review has the comment.`;
    process.stdout.write(`${done}\n`);
  }
  if (planned && "exitCode" in planned) return planned.exitCode;
  return kept ? EXIT.ok : exitCode || EXIT.differences;
}

/**
 * The commit under review. GitHub checks out a pull request merged into its base: the
 * second parent is then the commit of the pull request.
 */
async function reviewedCommit(
  repository: GitRepository,
  host: CodeHost,
  request: string | undefined,
): Promise<string> {
  const head = await repository.commitOf("HEAD");
  const merged = await repository.commitOf("HEAD^2");
  const commit =
    request === undefined || head === host.commit || merged === undefined
      ? host.commit
      : merged;
  if (/^[0-9a-f]{40}$/.test(commit)) return commit;
  throw new UsageError(
    "The commit under review is not known: give it with --commit.",
  );
}

/**
 * Refuses a recovery of an older commit, which would take back what was merged since.
 * @throws UsageError
 */
async function refuseOlderCommit(
  repository: GitRepository,
  main: string,
): Promise<void> {
  const newest = await repository.fetched(main);
  if ((await repository.commitOf("HEAD")) === newest) return;
  throw new UsageError(
    `${main} has moved on. Start the recovery anew, on its newest commit.`,
  );
}

/** Files of a preview that only this user can read. */
const eventsIn = (folder: string) => join(folder, "events");
const savedPlanIn = (folder: string) => join(folder, "plan.json");

/**
 * Plans the stack against the rules that are in force now. What stands in the way goes into
 * a file, and with it into the review.
 * @returns undefined if the preview failed
 */
async function planOf(
  subject: Subject,
  options: ReviewOptions,
  folder: string,
): Promise<Omit<ReviewedPlan, "commit"> | Failure | undefined> {
  try {
    refuseWithoutKey();
    const { rules, digest } = await inForceNow({ ...options, ...subject });
    writeInForce(digest);
    const { policyPack, policyPackConfig, recover } = options;
    const { code, stdout, stderr } = await runPulumi(
      [
        ...["preview", "--stack", subject.stack, "--json", "--show-sames"],
        ...["--save-plan", savedPlanIn(folder)],
        ...["--event-log", eventsIn(folder)],
        // What is there now counts, and not what the stack saw last.
        ...(recover ? ["--refresh"] : []),
        ...(policyPack ? ["--policy-pack", policyPack] : []),
        ...(policyPack && policyPackConfig
          ? ["--policy-pack-config", policyPackConfig]
          : []),
      ],
      { env: { EXPECTED_IN_FORCE: digest, PULUMI_DEBUG_COMMANDS: "true" } },
    );
    writeTo(PREVIEW_FILE, stdout);
    writeTo(LOG_FILE, stderr);
    if (code !== 0 || !isFile(savedPlanIn(folder))) return undefined;
    return {
      rulesInForce: rules,
      digests: digestsIn(stdout),
      plan: readOutput(savedPlanIn(folder)),
    };
  } catch (error) {
    const failed = failureOf(error);
    writeTo(LOG_FILE, failed.failure);
    return failed;
  }
}

/** @throws UsageError */
function refuseWithoutKey(): void {
  const names = Object.entries(process.env)
    .filter(([, value]) => value)
    .map(([name]) => name);
  if (names.some((name) => /^DEVID_MANAGEMENT_KEY(_[A-Z]+)?$/.test(name)))
    return;
  throw new UsageError(
    "DEVID_MANAGEMENT_KEY is not set. A pull request from a fork is given no secrets: somebody who may write to this repository looks at its commits first, and then pushes them to a branch of it.",
  );
}

/** The digest of `expectedInForce` of each rule set of a preview, by URN. */
function digestsIn(preview: string): PlannedDigests {
  const found = readPreview(preview, PREVIEW_FILE).resources.flatMap(
    ({ urn, kind, after }) => {
      const digest = after?.inputs.expectedInForce;
      return kind === RULE_SET && typeof digest === "string"
        ? [[urn, digest] as const]
        : [];
    },
  );
  return Object.fromEntries(found);
}

/** The comment of the review, and the exit code. */
async function reviewText(
  subject: Subject,
  options: ReviewOptions & { readonly commit: string },
  folder: string,
): Promise<{ readonly text: string; readonly exitCode: number }> {
  const made = await makeReview({
    ...reviewRequest(subject.path, options),
    ...{ plan: PREVIEW_FILE, isOwnPlan: true },
    planEvents: eventsIn(folder),
    planLog: LOG_FILE,
    stack: subject.stack,
    failOn: [...ALWAYS, ...(options.failOn ?? [])],
  });
  const { error } = made;
  if (error !== undefined) process.stderr.write(`devid: ${errorText(error)}\n`);
  if (!("review" in made)) {
    const text = formatFailedReview(made.failed, "markdown").trimEnd();
    return { text, exitCode: exitCodeOf(error) };
  }
  const { review } = made;
  process.stdout.write(formatReviewText(review));
  const failure = error ?? review.failure;
  const judged = needsAttention(review) ? EXIT.differences : EXIT.ok;
  const spare = COMMENT_LIMIT - LONGEST_TEXT;
  return {
    text: formatReviewMarkdown(review, { spare }).trimEnd(),
    exitCode: failure === undefined ? judged : exitCodeOf(failure),
  };
}

/** Keeps a plan in a file, which the pipeline uploads, and tells GitHub where that is. */
function keepPlan(
  subject: Subject,
  plan: ReviewedPlan,
  host: CodeHost,
  env: RunnerVariables,
): PlanRecord {
  const { bytes, digest } = packPlan(subject, plan);
  writeTo(PLAN_FILE, bytes, { flag: "wx", mode: 0o600 });
  const { artifact, path } = planPlaceOf(subject);
  if (env.GITHUB_OUTPUT)
    writeTo(env.GITHUB_OUTPUT, `artifact=${artifact}\nplan=${path}\n`, {
      flag: "a",
    });
  return { digest, run: host.run, commit: plan.commit };
}
