import type { Rule } from "../../../rules/src";

/** An enabled deny rule, unless `more` says otherwise. */
export function rule(
  name: string,
  expression = "true",
  rest: Partial<Rule> = {},
): Rule {
  return { name, expression, action: "deny", status: "enabled", ...rest };
}

/** The same rule as an allow rule. */
export function allow(name: string, expression = "true"): Rule {
  return rule(name, expression, { action: "allow" });
}
