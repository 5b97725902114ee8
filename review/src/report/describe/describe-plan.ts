import type { RuleSetDiff } from "@devid/rules";
import {
  count,
  shortened,
  type Quote,
  effectText,
  describeChanges,
} from "@devid/rules/internals";
import {
  isAbsent,
  type PlannedRuleSet,
  type Review,
  type ReviewedPlan,
} from "../../review/review";
import { LONGEST_NAME, nameOfRuleSet } from "../../review/list-names";

/** The number of changed settings that a report lists; a rule set has fewer. */
const MOST_SETTINGS = 10;

const OPERATIONS = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  same: "left as it is",
} as const;

/**
 * Names the plan and says whether it does what the file says. If it does not,
 * the sentence ends in `:` and the differences follow.
 */
export function describePlan(
  { name, stack, differences }: ReviewedPlan,
  quote: Quote,
): string {
  const what =
    differences.length === 0
      ? "does what the file says."
      : `does something else than the file says (${count(differences.length, "difference")}):`;
  return `${quote(name)}, of stack ${quote(stack)}, ${what}`;
}

/**
 * Describes what happens to a rule set, to its rules and to its settings, in a
 * sentence each.
 */
export function describeRuleSet(
  ruleSet: PlannedRuleSet,
  review: Review,
  quote: Quote,
): string {
  const subject = `Rule set ${nameOfRuleSet(ruleSet, quote)} is ${OPERATIONS[ruleSet.operation]}.`;
  return `${subject} ${describeRules(ruleSet, review, quote)}${describeSettings(ruleSet, quote)}`;
}

function describeRules(
  ruleSet: PlannedRuleSet,
  review: Review,
  quote: Quote,
): string {
  const { diff, inForceFrom } = ruleSet;
  const known = inForceFrom === "state" ? " as the stack's state has them" : "";
  const inForce = `rules in force${known}`;
  if (isAbsent(diff))
    return `It is unknown how the ${inForce} change: ${quote(diff.absent)}.`;
  if (diff.changes.length === 0) return `The ${inForce} stay.`;
  if (isChangeOfFile(ruleSet, review))
    return `The ${inForce} change as the file does, see above.`;
  return `In the ${inForce}: ${describeChanges(diff)}. In total: ${effectText(diff.effect, quote)}.`;
}

function describeSettings(
  { operation, settings }: PlannedRuleSet,
  quote: Quote,
): string {
  if (settings.length === 0) return "";
  const value = (text: string | undefined) =>
    text === undefined ? "not set" : quote(shortened(text, LONGEST_NAME));
  const texts = settings
    .slice(0, MOST_SETTINGS)
    .map(({ name, before, after, isLoosened }) => {
      const setting = quote(shortened(name, LONGEST_NAME));
      return operation === "create"
        ? `${setting} is ${value(after)}${isLoosened ? " (a loose guard)" : ""}`
        : `${setting} from ${value(before)} to ${value(after)}${isLoosened ? " (a looser guard)" : ""}`;
    });
  return ` Settings: ${texts.join(", ")}.`;
}

/**
 * Whether a rule set changes exactly as the file does. Its table would then
 * repeat the file's.
 */
function isChangeOfFile(
  { isReviewed, diff }: PlannedRuleSet,
  review: Review,
): boolean {
  return (
    isReviewed &&
    !isAbsent(diff) &&
    !isAbsent(review.diff) &&
    diff.changes.length === review.diff.changes.length &&
    JSON.stringify(diff) === JSON.stringify(review.diff)
  );
}

/**
 * Whether a report shows the changes of a rule set: there are some, and they
 * differ from the file's.
 */
export function hasOwnChanges(
  ruleSet: PlannedRuleSet,
  review: Review,
): ruleSet is PlannedRuleSet & {
  readonly diff: RuleSetDiff;
} {
  const { diff } = ruleSet;
  return (
    !isAbsent(diff) &&
    diff.changes.length > 0 &&
    !isChangeOfFile(ruleSet, review)
  );
}
