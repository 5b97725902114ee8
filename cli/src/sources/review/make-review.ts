import { kindOfType, RULE_SET } from "@devid/pulumi/state";
import type { Client } from "@devid/sdk";
import {
  parseFailCondition,
  reviewRules,
  type FailCondition,
  type FailedReview,
  type Review,
} from "@devid/review";
import { InterruptedError, UsageError } from "../../errors";
import { calculate } from "../../interruption";
import { errorText } from "../../output/report-error";
import { withoutKeys } from "../../output/without-keys";
import { configuredClient } from "../configured-client";
import { NAMED_OF_RULE_SET, NAMED_OPTIONS } from "./guards";
import { KINDS } from "./planned-resources";
import { reviewIdentity } from "./review-identity";
import type { ReviewRequest } from "./review-flags";
import { reviewSubject } from "./review-subject";

/** A review. If a part of it failed, `error` says why. */
export interface MadeReview {
  readonly review: Review;
  /** The text of the file, in which the edits of findings count. */
  readonly text: string;
  readonly error?: Error;
}

/** Why there is no review, as a report and as an error. */
export interface NoReview {
  readonly failed: FailedReview;
  readonly error: unknown;
}

/**
 * Makes a review. If that fails for a reason that lies outside the rule file, such as a key
 * that is refused, the review has what is known without the service, and `error` is the
 * failure. If there is nothing to review, a report of the failure takes its place.
 * @throws UsageError if git refuses to say what is reviewed
 */
export async function makeReview(
  order: ReviewRequest,
): Promise<MadeReview | NoReview> {
  try {
    const client = configuredClient(order);
    try {
      return await reviewOf(order, client);
    } catch (error) {
      const isOutside =
        error instanceof Error && !(error instanceof InterruptedError);
      if (!isOutside || error instanceof UsageError) throw error;
      const failure = errorText(error);
      return { ...(await reviewOf({ ...order, failure }, client)), error };
    }
  } catch (error) {
    return { failed: await failedReview(order, error), error };
  }
}

async function reviewOf(
  order: ReviewRequest,
  client: Client,
): Promise<MadeReview> {
  const { failOn = [], strict } = order;
  const conditions = failOn.map(parseFailCondition);
  conditions.forEach(refuseUnknownNames);
  if (strict && conditions.length > 0)
    throw new UsageError(
      "With --fail-on, only what it names fails a review: write --fail-on lint:warning instead of --strict.",
    );
  const subject = await reviewSubject(order, client, conditions);
  const review = calculate(() => reviewRules(subject));
  return { review: withoutKeys(review, order), text: subject.text };
}

/** Refuses a condition about a kind or a property that no resource has: it would never hold. */
function refuseUnknownNames(condition: FailCondition): void {
  if (condition.kind !== "resources" || condition.type === undefined) return;
  const { text, type, property } = condition;
  const refused = (why: string, names: readonly string[]) =>
    new UsageError(
      `The condition "${text}" would never hold: ${why}. There are ${names.join(", ")}.`,
    );
  const kinds = [...Object.keys(KINDS), "RotatingApiKey"];
  const kind = kindOfType(type) ?? type;
  // A resource that is not devid's is named by its whole type.
  if (kind === type && type.includes(":")) return;
  if (!kinds.includes(type))
    throw refused(
      kinds.includes(kind)
        ? `plans call this type ${kind}`
        : `devid has no kind ${kind}`,
      kinds,
    );
  const inputs =
    type === RULE_SET
      ? NAMED_OF_RULE_SET
      : KINDS[type] && Object.keys(KINDS[type].inputs.shape);
  const names = [...(inputs ?? []), ...NAMED_OPTIONS];
  if (property !== undefined && inputs && !names.includes(property))
    throw refused(`a review names no property ${property} of ${type}`, names);
}

async function failedReview(
  order: ReviewRequest,
  error: unknown,
): Promise<FailedReview> {
  const { path: file, ...identity } = await reviewIdentity(order);
  const message = errorText(error);
  return withoutKeys({ file, ...identity, message, base: order.base }, order);
}
