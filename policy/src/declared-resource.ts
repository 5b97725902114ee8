import {
  ARGUMENT_PREFIX,
  isDefaultProvider,
  pluginSettings,
  STACK_PREFIX,
  STACK_TYPE,
  UNKNOWN_TEXT,
} from "@devid/pulumi/state";
import type {
  PolicyProviderResource,
  ResourceValidationArgs,
} from "@pulumi/policy";
import { plainStackConfig } from "./stack-config";

/** A resource as a program declares it. Values that are unknown in a preview are `UNKNOWN_TEXT`. */
export interface DeclaredResource {
  readonly urn: string;
  /**
   * Such as `pulumi-nodejs:dynamic/devid:Webhook`; `kindOfType` gives its kind. The
   * stack itself has the type `STACK_TYPE`.
   */
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether it has the option `protect`. The engine does not tell policies about `retainOnDelete`. */
  readonly isProtected: boolean;
  /**
   * The settings of its explicit provider, or else those in stack config: such as
   * `devid.Provider:region` or `devid:region`.
   */
  readonly provider: Readonly<Record<string, unknown>>;
}

/** The resource that the policy SDK passes to a policy, as plain values. */
export function declaredResource(
  args: ResourceValidationArgs,
): DeclaredResource {
  const { urn, type, props, opts } = args;
  return {
    urn,
    type,
    inputs: readProperties(props),
    isProtected: opts.protect,
    provider: providerSettings(args),
  };
}

/** The settings that a policy has of a resource's provider, or, for the stack, of stack config. */
export const providerSettings = ({
  type,
  provider,
}: Pick<ResourceValidationArgs, "type" | "provider">) => ({
  ...(type === STACK_TYPE && plainStackConfig()),
  ...(provider && settingsOf(provider)),
});

/** The settings of the plugin's provider have no prefix; a dynamic resource's have it. */
function settingsOf(provider: PolicyProviderResource): Record<string, unknown> {
  const { type, name, props } = provider;
  const properties = readProperties(props);
  if (type !== "pulumi:providers:devid") return properties;
  const prefix = isDefaultProvider(name) ? STACK_PREFIX : ARGUMENT_PREFIX;
  const { settings } = pluginSettings(properties, name);
  return Object.fromEntries(
    Object.entries(settings).map(([setting, text]) => [prefix + setting, text]),
  );
}

/** Properties as the policy SDK shows them, as plain values. */
export function readProperties(properties: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(properties).map((key) => [key, read(properties, key)]),
  );
}

function read(holder: object, key: string): unknown {
  let value: unknown;
  try {
    value = Reflect.get(holder, key);
  } catch {
    // The SDK's objects throw when an unknown value is read.
    return UNKNOWN_TEXT;
  }
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return readProperties(value);
  return Array.from(value.keys(), (index) => read(value as object, `${index}`));
}
