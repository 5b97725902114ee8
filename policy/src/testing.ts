import { RULE_SET, STACK_TYPE } from "@devid/pulumi/state";
import type {
  PolicyResource,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from "@pulumi/policy";
import * as proxy from "@pulumi/policy/proxy";
import { takeNotes } from "./define-policy";

// How the policy SDK shows properties: reading an unknown one throws. It is
// exported without a type.
const { unknownCheckingProxy } = proxy as unknown as {
  unknownCheckingProxy: <T extends object>(properties: T) => T;
};

/** A resource as a policy sees it. */
export interface PolicyCase {
  /** A kind of devid's resources, such as `Webhook`, or `Stack`; default `FilteringRuleSet`. */
  readonly kind?: string;
  /**
   * The type, for resources of other packages or of the provider plugin. Default: the
   * dynamic resource of the kind.
   */
  readonly type?: string;
  readonly urn?: string;
  /** What the program declares. `UNKNOWN_TEXT` stands for a value that a preview does not know. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Whether it has the resource option `protect`. */
  readonly protect?: boolean;
  readonly config?: object;
  /** Settings of the provider, under their full names, such as `devid.Provider:endpoint`. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** The type of the provider, and its name. */
  readonly providerAs?: { readonly type: string; readonly name: string };
}

/** The result of a policy for a resource. */
export interface PolicyResult {
  readonly violations: string[];
  /** What the policy `not-checked` would show. */
  readonly notChecked: string[];
}

/**
 * Runs a policy on one resource, without an engine. If the policy calls the service, use a
 * local service (docs/local-service.md).
 *
 * @example
 * const { violations } = await checkPolicy(webhookHttpsAndVerified, {
 *   kind: "Webhook",
 *   inputs: { url: "http://shop.example/hook" },
 * });
 */
export async function checkPolicy(
  policy: ResourceValidationPolicy,
  given: PolicyCase,
): Promise<PolicyResult> {
  const { validateResource, name } = policy;
  if (typeof validateResource !== "function")
    throw new Error(`Policy ${name} does not look at single resources.`);
  const args = argumentsOf(given);
  const violations: string[] = [];
  takeNotes(args.urn);
  await validateResource(args, (message) => violations.push(message));
  return { violations, notChecked: [...takeNotes(args.urn)] };
}

/** A resource of a stack for `checkStack`. */
export interface StackCase extends Pick<
  PolicyCase,
  "kind" | "type" | "inputs"
> {
  readonly name: string;
  /** The names of the resources from which an input takes its value. */
  readonly from?: Readonly<Record<string, readonly string[]>>;
}

/** What a policy says of resources of a stack, by their names, without an engine. */
export async function checkStack(
  { name, validateStack }: Partial<StackValidationPolicy>,
  given: readonly StackCase[],
  config: object = {},
): Promise<Record<string, string[]>> {
  if (!validateStack)
    throw new Error(`Policy ${name} does not look at stacks.`);
  const urnOf = (one: string) => `urn:pulumi:test::test::any::${one}`;
  const resources = given.map(({ name, kind, type, inputs, from = {} }) => {
    return {
      ...argumentsOf({ kind, type, inputs }),
      name,
      urn: urnOf(name),
      dependencies: [],
      propertyDependencies: Object.fromEntries(
        Object.entries(from).map(([input, names]) => [
          input,
          names.map((one) => ({ urn: urnOf(one) }) as PolicyResource),
        ]),
      ),
    };
  });
  const said: Record<string, string[]> = {};
  await validateStack(
    { ...argumentsOf({ config }), resources },
    (message, urn = "") => {
      const of = urn.split("::").at(-1) ?? "";
      (said[of] ??= []).push(message);
    },
  );
  return said;
}

/**
 * The inputs of a resource after the policy has set missing values, as with the
 * enforcement level `remediate`. Undefined if the policy sets nothing.
 */
export async function remedyOf(
  { name, remediateResource }: ResourceValidationPolicy,
  given: PolicyCase,
): Promise<Record<string, unknown> | undefined> {
  if (!remediateResource)
    throw new Error(`Policy ${name} has no remedy, so it sets no inputs.`);
  return (await remediateResource(argumentsOf(given))) ?? undefined;
}

function argumentsOf({
  kind = RULE_SET,
  type = kind === "Stack" ? STACK_TYPE : `pulumi-nodejs:dynamic/devid:${kind}`,
  urn = "urn:pulumi:test::test::any::one",
  inputs = {},
  protect = false,
  config = {},
  provider = {},
  providerAs,
}: PolicyCase): Parameters<
  Exclude<ResourceValidationPolicy["validateResource"], unknown[] | undefined>
>[0] {
  const named = { type, urn, name: "one", isType: () => false };
  return {
    ...named,
    props: unknownCheckingProxy({ ...inputs }),
    opts: {
      protect,
      ignoreChanges: [],
      aliases: [],
      additionalSecretOutputs: [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
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
      throw new Error("The policy does not apply.");
    },
  };
}
