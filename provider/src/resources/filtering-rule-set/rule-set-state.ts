import type { FilteringRule } from "@devid/sdk";
import { RuleContent, type Rule } from "@devid/rules";
import { z } from "zod";

/** A rule as state keeps it, under its name. */
const RuleState = RuleContent.extend({
  after: z.string().describe('Name of the rule before it, "" for the first.'),
});

/**
 * A rule set as state keeps it: each rule under its name, with the name of the
 * one before it and no position, so that an insert is one addition and one
 * changed `after`.
 */
export const RuleSetState = z.record(z.string(), RuleState);

/** The state's form. */
export type RuleSetState = z.output<typeof RuleSetState>;

/** From the order of an array to `after`. */
export function toRuleSetState(rules: readonly Rule[]): RuleSetState {
  let after = "";
  return Object.fromEntries(
    rules.map(({ name, ...rule }) => {
      const entry = [name, { ...withDenyWith(rule), after }] as const;
      after = name;
      return entry;
    }),
  );
}

/**
 * Rules with unknown parts in the state's form, as far as their names are
 * known; `undefined` where they are not.
 */
export function toPartlyKnownState(
  rules: readonly Readonly<Record<string, unknown>>[],
): RuleSetState | undefined {
  const names = rules.map((rule) => rule.name);
  const usable = names.every((name) => typeof name === "string");
  if (!usable || new Set(names).size < names.length) return undefined;
  return toRuleSetState(rules as unknown as Rule[]);
}

/**
 * The rules in their order.
 * @throws Error when `after` does not lead through every rule exactly once, as
 * in a state that was edited by hand
 */
export function fromRuleSetState(state: RuleSetState): Rule[] {
  const next = new Map(
    Object.entries(state).map(([name, rule]) => [rule.after, name]),
  );
  const rules: Rule[] = [];
  let at = next.get("");
  for (; at !== undefined && rules.length <= next.size; at = next.get(at)) {
    const rule = state[at];
    if (!rule) break;
    const { expression, action, status, denyWith } = rule;
    rules.push({ name: at, expression, action, status, denyWith });
  }
  if (rules.length === Object.keys(state).length) return rules;
  throw new Error(
    `The rules do not form one order: "after" must lead from the first rule ("") through each of ${Object.keys(state).join(", ")} once.`,
  );
}

/** The rules in their order, given in either form. @throws Error as `fromRuleSetState` */
export function orderedRules(
  rules: readonly Rule[] | RuleSetState,
): readonly Rule[] {
  return isOrdered(rules) ? rules : fromRuleSetState(rules);
}

// Array.isArray does not narrow readonly arrays.
const isOrdered = (
  rules: readonly Rule[] | RuleSetState,
): rules is readonly Rule[] => Array.isArray(rules);

/**
 * Rules of the service as declared rules. Names are not unique there: one that
 * comes again is told apart by its ID.
 */
export function fromService(rules: readonly FilteringRule[]): Rule[] {
  const seen = new Set<string>();
  return rules.map((rule) => {
    const name = seen.has(rule.name) ? `${rule.name} (${rule.id})` : rule.name;
    seen.add(rule.name);
    return withDenyWith({
      name,
      expression: rule.expression,
      action: rule.action as Rule["action"],
      status: rule.status as Rule["status"],
      denyWith: (rule.denyWith ?? undefined) as Rule["denyWith"],
    });
  });
}

/** IDs of rules under the names that the state has them by. */
export function idsByName(
  rules: readonly FilteringRule[],
): Record<string, string> {
  return Object.fromEntries(
    fromService(rules).map((rule, index) => [
      rule.name,
      rules[index]?.id ?? "",
    ]),
  );
}

/** The rules that `fromService` told apart by their IDs, by the names that they have in the service. */
export function renamedRules(
  ruleIds: Readonly<Record<string, string>>,
): { name: string; id: string }[] {
  return Object.entries(ruleIds).flatMap(([name, id]) => {
    const tail = ` (${id})`;
    return name.endsWith(tail)
      ? [{ name: name.slice(0, -tail.length), id }]
      : [];
  });
}

/** How a deny rule answers where that is left out. */
function withDenyWith<R extends Pick<Rule, "action" | "denyWith">>(rule: R): R {
  if (rule.action !== "deny") return rule;
  return { ...rule, denyWith: rule.denyWith ?? "Forbidden" };
}
