import { DevidError } from "@devid/sdk/errors";
import { assertNever } from "../assert-never";
import type { Rule } from "../rule-set/rule";
import type { RuleStep } from "./rule-change";

/**
 * The rules of `before` after all steps, applied one after the other. With the changes
 * of `diffRules(before, after)` that is `after`, where expressions without a change
 * keep their spelling.
 * @throws RuleChangeError when a step names a rule that is not there
 */
export function applyChanges(
  before: readonly Rule[],
  steps: readonly RuleStep[],
): readonly Rule[] {
  return steps.reduce(applyStep, before);
}

/** The rules after one step. @throws RuleChangeError */
export function applyStep(
  rules: readonly Rule[],
  step: RuleStep,
): readonly Rule[] {
  const { rule } = step;
  switch (step.kind) {
    case "removed":
      return rules.toSpliced(placeOf(rule.name, rules, step), 1);
    case "disabled":
    case "edited":
    case "enabled":
      return rules.with(placeOf(rule.name, rules, step), rule);
    case "moved": {
      const others = rules.toSpliced(placeOf(rule.name, rules, step), 1);
      return others.toSpliced(placeBehind(step.after, others, step), 0, rule);
    }
    case "added":
      return rules.toSpliced(placeBehind(step.after, rules, step), 0, rule);
    default:
      return assertNever(step);
  }
}

function placeBehind(name: string, rules: readonly Rule[], step: RuleStep) {
  return name === "" ? 0 : placeOf(name, rules, step) + 1;
}

function placeOf(name: string, rules: readonly Rule[], step: RuleStep): number {
  const place = rules.findIndex((rule) => rule.name === name);
  if (place >= 0) return place;
  throw new RuleChangeError(
    `Rule "${step.rule.name}" cannot be ${step.kind}: there is no rule "${name}" among these ${rules.length} rules. Apply changes to the rules that they were found in.`,
  );
}

/** A step names a rule that the changed rule set lacks. */
export class RuleChangeError extends DevidError {
  override readonly name = "RuleChangeError";
}
