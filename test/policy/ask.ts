import type { ResourceValidationPolicy } from "@pulumi/policy";
import * as proxy from "@pulumi/policy/proxy";

// How the policy SDK shows properties: reading an unknown one throws. It is
// exported without a type.
const { unknownCheckingProxy } = proxy as unknown as {
  unknownCheckingProxy: (properties: object) => Record<string, unknown>;
};

/** A resource as the engine shows it to a policy. */
export interface Asked {
  readonly kind?: string;
  readonly type?: string;
  readonly urn?: string;
  readonly inputs?: Record<string, unknown>;
  readonly config?: object;
  readonly protect?: boolean;
  /** Settings of an explicit provider, such as `devid.Provider:region`. */
  readonly provider?: Record<string, unknown>;
  /** The type of the provider, and its name. */
  readonly providerAs?: { readonly type: string; readonly name: string };
}

/** What the SDK hands on for a text that is not known in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Asks a policy about a resource; answers what it reports. */
export async function ask(
  policy: ResourceValidationPolicy,
  asked: Asked,
): Promise<string[]> {
  const {
    kind = "FilteringRuleSet",
    type = `pulumi-nodejs:dynamic/devid:${kind}`,
    urn = "urn:pulumi:test::test::any::one",
    inputs = {},
    config = {},
    protect = false,
    provider = {},
    providerAs,
  } = asked;
  const { validateResource } = policy;
  if (typeof validateResource !== "function")
    throw new Error(`Policy ${policy.name} does not look at resources.`);
  const reported: string[] = [];
  const named = { type, urn, name: "one", isType: () => false };
  await validateResource(
    {
      ...named,
      props: unknownCheckingProxy(inputs),
      opts: {
        protect,
        ignoreChanges: [],
        aliases: [],
        additionalSecretOutputs: [],
        customTimeouts: {
          createSeconds: 0,
          updateSeconds: 0,
          deleteSeconds: 0,
        },
      },
      provider: {
        ...named,
        ...providerAs,
        props: unknownCheckingProxy(provider),
      },
      stackTags: new Map(),
      asType: () => undefined,
      getConfig: <T extends object>() => config as T,
      notApplicable: () => {
        throw new Error("not applicable");
      },
    },
    (message) => reported.push(message),
  );
  return reported;
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
