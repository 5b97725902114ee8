import {
  containsUnknownText,
  fromRuleSetState,
  kindOfType,
  RULE_SET,
  RuleSetState,
} from "@devid/pulumi/state";
import {
  Rules,
  checkExpression,
  type Rule,
  type CheckedRule,
} from "@devid/rules";
import type { DeclaredResource } from "./declared-resource";

/** Whether the resources of a type, of either form, are rule sets. */
export const isRuleSet = (type: string): boolean =>
  kindOfType(type) === RULE_SET;

/**
 * The rules of a rule set in no particular order, with unknown parts; `undefined`
 * while the rules as a whole are unknown.
 */
export function declaredEntries({
  rules,
}: DeclaredResource["inputs"]):
  | readonly Readonly<Record<string, unknown>>[]
  | undefined {
  if (typeof rules !== "object" || rules === null) return undefined;
  return Object.values(rules) as Readonly<Record<string, unknown>>[];
}

/**
 * The rules that a `FilteringRuleSet` declares, in their order, disabled ones
 * included. `undefined` if any part is unknown in a preview, or if a rule is invalid,
 * which the resource's own check reports.
 *
 * @example
 * const rules = rulesOf(resource) ?? [];
 * const enabled = rules.filter(({ rule }) => rule.status === "enabled");
 */
export function rulesOf({
  inputs: { rules },
}: Pick<DeclaredResource, "inputs">): CheckedRule[] | undefined {
  if (containsUnknownText(rules)) return undefined;
  const declared = ordered(rules);
  const checked = declared?.flatMap((rule) => {
    const result = checkExpression(rule.expression);
    return result.ok ? [{ rule, expression: result.expression }] : [];
  });
  return checked?.length === declared?.length ? checked : undefined;
}

function ordered(rules: unknown): Rule[] | undefined {
  const array = Rules.safeParse(rules);
  if (array.success) return array.data;
  const state = RuleSetState.safeParse(rules);
  if (!state.success) return undefined;
  try {
    return fromRuleSetState(state.data);
  } catch {
    return undefined;
  }
}
