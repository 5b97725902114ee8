import type { RuleSetDiff } from "../../diff/rule-change";
import { count } from "../../replay/impact-numbers";
import {
  isAbsent,
  type PlannedRuleSet,
  type Review,
  type ReviewedPlan,
} from "../../review/review";
import { LONGEST_NAME, MOST_NAMES, shortened } from "../../review/shortened";
import { effectMarkup, type Quote } from "./change-cells";
import { describeChanges } from "../../diff/rule-change";

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
 * Introduces the list of what the plan applies of earlier merges.
 */
export const CATCHES_UP =
  "It also applies what was merged before, and is not in force yet:";

/**
 * Names a rule set and its environment: `shop of Production (ae_1)`. Both go
 * through `quote`.
 */
export function describeName(
  { name, environment }: PlannedRuleSet,
  quote: Quote,
): string {
  return (environment === undefined ? [name] : [name, environment])
    .map((text) => quote(shortened(text, LONGEST_NAME)))
    .join(" of ");
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
  const subject = `Rule set ${describeName(ruleSet, quote)} is ${OPERATIONS[ruleSet.operation]}.`;
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
    return `What becomes of the ${inForce} is not known: ${quote(diff.absent)}.`;
  if (diff.changes.length === 0) return `The ${inForce} stay.`;
  if (isChangeOfFile(ruleSet, review))
    return `The ${inForce} change as the file does, see above.`;
  return `In the ${inForce}: ${describeChanges(diff)}. In total: ${effectMarkup(diff.effect, quote)}.`;
}

function describeSettings({ settings }: PlannedRuleSet, quote: Quote): string {
  if (settings.length === 0) return "";
  const value = (text: string | undefined) =>
    text === undefined ? "not set" : quote(shortened(text, LONGEST_NAME));
  const texts = settings
    .slice(0, MOST_SETTINGS)
    .map(
      ({ name, before, after, isLoosened }) =>
        `${quote(shortened(name, LONGEST_NAME))} from ${value(before)} to ${value(after)}${isLoosened ? " (a looser guard)" : ""}`,
    );
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

/**
 * Describes what happens to the other resources, by their names; empty if there
 * are none.
 */
export function describeOtherResources(
  { others }: ReviewedPlan,
  quote: Quote,
): string {
  if (others.length === 0) return "";
  const parts = (["create", "update", "replace", "delete"] as const).flatMap(
    (operation) => {
      const found = others.filter((other) => other.operation === operation);
      if (found.length === 0) return [];
      const text = `${found.length} ${OPERATIONS[operation]}`;
      if (operation === "create" || operation === "update") return [text];
      const names = found
        .slice(0, MOST_NAMES)
        .map(({ type, name }) =>
          [type, name]
            .map((each) => quote(shortened(each, LONGEST_NAME)))
            .join(" "),
        );
      const rest = found.length - names.length;
      const more = rest > 0 ? ` and ${rest} more` : "";
      return [`${text} (${names.join(", ")}${more})`];
    },
  );
  return `Other resources: ${parts.join(", ")}.`;
}
