import { join } from "node:path";
import { formatApplied, type Applied } from "@devid/review";
import { codeFence, findSteps } from "@devid/rules";
import { codeMarkdown, firstOf } from "@devid/rules/internals";
import { interruptible } from "../interruption";
import { errorText, EXIT } from "../output/report-error";
import { failureOf, withoutKeys, type Failure } from "../output/without-keys";
import { inPrivateFolder, writeTo } from "../output/write-output";
import { appliedResources } from "../sources/applied";
import { readEngineEvents } from "../sources/engine-events";
import { inForceNow } from "../sources/live-rules";
import { runPulumi, stateOf } from "../sources/pulumi";
import { isFile, readOutput } from "../sources/rule-files";
import type { CodeHost } from "./code-host";
import { cutToFit, endOf, markOutdated, putComment } from "./comments";
import { writeInForce } from "./in-force-file";
import { fitExpectedInForce } from "./fit-expected-in-force";
import { findReviewedPlan } from "./find-reviewed-plan";
import { expectedInForce } from "./reviewed-plan";
import { markerOf, scopeOf, type Subject } from "./subject";

/** How an apply runs. */
export interface ApplyOptions {
  /** Whether the plan is that of this run's recovery, in place of a request's review. */
  readonly isRecovery: boolean;
  readonly region?: string;
}

/**
 * Applies exactly the plan that was reviewed, to the rules that it was reviewed against,
 * and says on the request or on the commit what was done. After a refusal, the comment has
 * the reason and the way out.
 * @returns the exit code: 0 if all of it was applied
 */
export async function applyReviewed(
  host: CodeHost,
  subject: Subject,
  options: ApplyOptions,
): Promise<number> {
  const done = await interruptible((signal) =>
    applied(host, subject, options, signal),
  );
  const isWhole = isApplied(done) && done.extent === "whole";
  const text = appliedText(host, subject, done);
  process.stderr.write(`${text}\n`);
  try {
    const request = options.isRecovery ? undefined : await host.requestOfThis();
    if (request === undefined)
      await host.addComment({ commit: host.commit }, text);
    else process.stdout.write(`${await putComment(host, request, text)}\n`);
  } finally {
    // A plan that was made before this merge is refused: say so before it is merged.
    if (isWhole && !options.isRecovery)
      await markOutdated(host, markerOf("devid-review", subject));
  }
  return isWhole ? EXIT.ok : isApplied(done) ? EXIT.error : done.exitCode;
}

/** Why it is not known what an update did, or why none was begun. */
interface NotApplied extends Failure {
  readonly isBegun: boolean;
}

const isApplied = (done: Applied | NotApplied): done is Applied =>
  "extent" in done;

/** What was done, or why that is not known. */
async function applied(
  host: CodeHost,
  subject: Subject,
  { isRecovery, region }: ApplyOptions,
  signal: AbortSignal,
): Promise<Applied | NotApplied> {
  let isBegun = false;
  const work = async (folder: string): Promise<Applied> => {
    const reviewed = await findReviewedPlan(host, subject, isRecovery);
    const place = { ...subject, region };
    const { rules } = await inForceNow(place);
    // What somebody has changed of the rules in force since the review.
    const rulesChanged = findSteps(reviewed.rulesInForce, rules).map(
      ({ kind, rule }) => `${rule.name}: ${kind}`,
    );
    const digest = expectedInForce(reviewed);
    writeInForce(digest);
    const plan = join(folder, "plan.json");
    const events = join(folder, "events");
    const errorsTo = join(folder, "errors");
    const state = await stateOf(subject.stack);
    const fitted = fitExpectedInForce(reviewed.plan, state, reviewed.digests);
    writeTo(plan, fitted, { mode: 0o600 });
    signal.throwIfAborted();
    isBegun = true;
    const { code } = await runPulumi(
      [
        ...["up", "--stack", subject.stack, "--plan", plan, "--yes"],
        ...["--event-log", events],
        ...(isRecovery ? ["--refresh"] : []),
      ],
      {
        env: { EXPECTED_IN_FORCE: digest, PULUMI_DEBUG_COMMANDS: "true" },
        isShown: true,
        errorsTo,
        signal,
      },
    );
    const said = readOutput(errorsTo);
    process.stderr.write(said);
    const log = readEngineEvents(isFile(events) ? readOutput(events) : "");
    // An engine that does not begin, as with a locked stack, says why here alone.
    const errors =
      code !== 0 && log.errors.length === 0
        ? [{ message: said.trim() || "pulumi ended without a reason." }]
        : log.errors;
    return withoutKeys({
      file: subject.file,
      scope: scopeOf(subject),
      ...appliedResources(
        { ...log, errors, isWhole: log.isWhole && code === 0 },
        reviewed.plan,
        [...firstOf(rulesChanged, MOST_STEPS)],
      ),
      inForce: await inForceNow(place).then(
        ({ digest }) => digest,
        (error: unknown) => ({ absent: errorText(error) }),
      ),
    });
  };
  return inPrivateFolder(work).catch((error: unknown) => ({
    ...failureOf(error),
    isBegun,
  }));
}

/** Changed rules that a refusal names. */
const MOST_STEPS = 50;

function appliedText(
  host: CodeHost,
  subject: Subject,
  done: Applied | NotApplied,
): string {
  const end = endOf(host, host.commit);
  const wayOut = `The way out: ${host.recovery}. It plans the main branch anew, says on its commit what that changes, and applies it once somebody has approved. A rule of the dashboard that is to stay goes into the rule file first, in a pull request.`;
  const isWhole = isApplied(done) && done.extent === "whole";
  const place = `${codeMarkdown(subject.file)} (stack ${codeMarkdown(subject.stack)})`;
  const what = isApplied(done)
    ? [formatApplied(done).trim()]
    : [
        `${markerOf("devid-apply", subject)}\n### ${place} ${done.isBegun ? "may have been applied" : "was not applied"}`,
        codeFence(done.failure),
        done.isBegun
          ? "What the update did is not known here: its log says it."
          : "No resource was changed.",
      ];
  const tail = [...(isWhole ? [] : [wayOut]), end].join("\n\n");
  return `${cutToFit([...what, tail].join("\n\n"), tail)}\n`;
}
