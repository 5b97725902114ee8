import { UsageError } from "../errors";
import type { CodeHost } from "./code-host";
import { ownComment, ownTexts } from "./comments";
import { recordIn, type PlanRecord } from "./plan-record";
import { unpackPlan, type ReviewedPlan } from "./reviewed-plan";
import { markerOf, planPlaceOf, type Subject } from "./subject";

/**
 * The plan that the review of the request kept, or that this run's recovery kept.
 * @throws UsageError without a plan; CodeHostError
 */
export async function findReviewedPlan(
  host: CodeHost,
  subject: Subject,
  isRecovery: boolean,
): Promise<ReviewedPlan> {
  const place = planPlaceOf(subject);
  if (isRecovery) {
    const record = await recordOfRecovery(host, subject);
    const bytes = await host.planOfThisRun(record, place);
    return unpackPlan(bytes, subject, record);
  }
  const request = await host.requestOfThis();
  if (request === undefined)
    throw new UsageError(
      "This commit came with no pull request, so there is no plan of it that was reviewed.",
    );
  const marker = markerOf("devid-review", subject);
  const comment = await ownComment(host, request, marker);
  const record = comment && recordIn(comment.body);
  if (record === undefined)
    throw new UsageError(
      comment
        ? `The review of pull request ${request} failed, and kept no plan.`
        : `Pull request ${request} has no review of ${subject.file} for stack ${subject.stack}, and so no plan.`,
    );
  const newest = await host.newestCommit(request);
  if (record.commit !== newest)
    throw new UsageError(
      `The newest commit of pull request ${request}, ${newest}, was not reviewed: the review is of commit ${record.commit}.`,
    );
  const bytes = await host.planOfReview(record, request, place);
  return unpackPlan(bytes, subject, record);
}

async function recordOfRecovery(
  host: CodeHost,
  subject: Subject,
): Promise<PlanRecord> {
  const marker = markerOf("devid-recovery", subject);
  const { commit } = host;
  const comments = await ownTexts(
    host,
    (page) => host.comments({ commit }, page),
    marker,
    { isEach: true },
  );
  const record = comments
    .map(({ body }) => recordIn(body))
    .findLast((one) => one !== undefined);
  if (record === undefined)
    throw new UsageError(
      `There is no plan of a recovery on commit ${commit}: start the recovery again.`,
    );
  return record;
}
