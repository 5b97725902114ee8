import type { ResourceValidationPolicy } from "@pulumi/policy";
import { checkPolicy, type PolicyCase } from "@devid/policy/testing";
import { expect } from "vitest";
import { pluginType } from "../../provider/src/definition/engine-names";

/** The SDK's placeholder for a text that is unknown in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Asks a policy about a resource, and returns its violations. They are the same for the
 * plugin's resource as for the dynamic one.
 */
export async function ask(
  policy: ResourceValidationPolicy,
  asked: PolicyCase,
): Promise<string[]> {
  const { violations } = await checkPolicy(policy, asked);
  const { kind = "FilteringRuleSet", type, provider } = asked;
  if (type === undefined && !provider) {
    const ofPlugin = { ...asked, type: pluginType(kind) };
    const found = await checkPolicy(policy, ofPlugin);
    expect(found.violations).toEqual(violations);
  }
  return violations;
}

/** A rule set in the form of the state, as the engine passes it. */
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

/** A rule as a program writes it. */
export const rule = (
  name: string,
  expression: string,
  action: "allow" | "deny" = "deny",
  more: object = {},
) => ({ name, expression, action, ...more });
