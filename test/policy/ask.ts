import type { ResourceValidationPolicy } from "@pulumi/policy";
import { checkPolicy, type PolicyCase } from "@devid/policy/testing";

/** What the SDK hands on for a text that is not known in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Asks a policy about a resource; answers its violations. */
export async function ask(
  policy: ResourceValidationPolicy,
  asked: PolicyCase,
): Promise<string[]> {
  return (await checkPolicy(policy, asked)).violations;
}

/** A rule set in the form of the state, the way the engine shows it. */
export function inState(
  ...rules: { name: string; [field: string]: unknown }[]
): Record<string, unknown> {
  let after = "";
  return Object.fromEntries(
    rules.map(({ name, ...rule }) => {
      const entry = [name, { status: "enabled", ...rule, after }] as const;
      after = name;
      return entry;
    }),
  );
}

/** A rule of a program. */
export const rule = (
  name: string,
  expression: string,
  action: "allow" | "deny" = "deny",
  more: object = {},
) => ({ name, expression, action, ...more });
