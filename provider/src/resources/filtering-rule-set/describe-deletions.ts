import { findSteps, type Rule, type RuleStep } from "@devid/rules";

/** Of fewer rules a change deletes a large part easily. */
const FEWEST_RULES = 4;

/** A change that deletes too many rules. */
export interface RefusedDeletions {
  readonly deleted: readonly RuleStep[];
  /** The numbers, as a clause. */
  readonly reason: string;
  readonly wayOut: string;
}

/**
 * Whether a change deletes more than `maxDeletedPercent` of at least four
 * rules. A rule is its name, so a renamed one is deleted. An empty set is not
 * refused here: `allowEmpty` has said that it is meant.
 */
export function describeDeletions(
  before: readonly Rule[],
  after: readonly Rule[],
  maxDeletedPercent: number,
): RefusedDeletions | undefined {
  if (before.length < FEWEST_RULES || after.length === 0) return undefined;
  const deleted = findSteps(before, after).filter(
    ({ kind }) => kind === "removed",
  );
  const percent = (deleted.length / before.length) * 100;
  if (percent <= maxDeletedPercent) return undefined;
  const least = Math.ceil(percent);
  return {
    deleted,
    reason: `that would delete ${deleted.length} of ${before.length} rules (${least} %), and maxDeletedPercent is ${maxDeletedPercent}`,
    wayOut: `If that is meant, set maxDeletedPercent: ${least}. A rule with a new name counts as a deleted one and an added one.`,
  };
}
