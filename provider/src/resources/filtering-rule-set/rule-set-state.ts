import type { FilteringRule } from "@devid/sdk";
import { RuleContent, type Rule } from "@devid/rules";
import { z } from "zod";
import { SECRET_MARK } from "../../definition/engine-names";
import { OperationError } from "../../definition/errors";
import { isRecord } from "../../definition/value";

/** The kind whose resources have filtering rules. */
export const RULE_SET = "FilteringRuleSet";

const NOT_A_LIST =
  "is missing: rules are a list, in which each rule has its name";

/** A rule in the state, where it is stored under its name. */
const RuleState = RuleContent.extend({
  after: z
    // Only a program that gives rules by their names lacks it.
    .string({ error: NOT_A_LIST })
    .describe('Name of the rule before it, "" for the first.'),
});

/**
 * The form in which the state has a rule set: each rule under its name, with the
 * name of the rule before it. Without positions, an insert is one addition and one
 * changed `after`.
 */
export const RuleSetState = z.record(z.string(), RuleState);

/** The rules of a rule set in the state. */
export type RuleSetState = z.output<typeof RuleSetState>;

/** Turns rules in their order into the form of the state. */
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
 * Turns rules with unknown parts into the form of the state; `undefined` unless
 * every name is known and unique.
 */
export function toPartlyKnownState(
  rules: readonly unknown[],
): RuleSetState | undefined {
  // A state that somebody edited may have anything in place of a rule.
  const names = rules.map((rule) => (isRecord(rule) ? rule.name : undefined));
  const usable = names.every((name) => typeof name === "string");
  if (!usable || new Set(names).size < names.length) return undefined;
  return toRuleSetState(rules as unknown as Rule[]);
}

/**
 * Turns the form of the state into rules in their order.
 * @throws OperationError when `after` does not lead through every rule exactly once, as may
 * be in a state that was edited by hand
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
  throw new OperationError(
    `The rules do not form one order: "after" must lead from the first rule ("") through each of ${Object.keys(state).join(", ")} once.`,
  );
}

/** The rules in their order, from either form. @throws OperationError as `fromRuleSetState` */
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
 * Names that the state cannot have as keys. Pulumi and its libraries drop a member
 * `__proto__`, and read an object with the member SECRET_MARK as a secret.
 */
const UNKEPT_NAMES = ["__proto__", SECRET_MARK[0]];

/** A failure for each declared rule whose name the state cannot have. */
export const unkeptNames = (rules: readonly Rule[] | RuleSetState) =>
  isOrdered(rules)
    ? rules.flatMap(({ name }, place) =>
        UNKEPT_NAMES.includes(name)
          ? [
              {
                property: `rules[${place}].name`,
                reason: `is ${name}, a name that Pulumi cannot keep in the state; give the rule another name`,
              },
            ]
          : [],
      )
    : [];

/**
 * Turns rules of the service into the form of declared rules. The service allows
 * equal names, and names that the state cannot have: such a name gets the rule's ID
 * appended.
 */
export function fromService(rules: readonly FilteringRule[]): Rule[] {
  const seen = new Set(UNKEPT_NAMES);
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

/** The IDs of rules by the names that the state has for them. */
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

/** The rules to whose names `fromService` appended their IDs, with their names in the service. */
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

/** A rule in which `denyWith` of a deny rule has its default. */
function withDenyWith<R extends Pick<Rule, "action" | "denyWith">>(rule: R): R {
  if (rule.action !== "deny") return rule;
  return { ...rule, denyWith: rule.denyWith ?? "Forbidden" };
}
