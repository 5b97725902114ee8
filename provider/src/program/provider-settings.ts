import * as pulumi from "@pulumi/pulumi";
import { ARGUMENT_PREFIX, STACK_PREFIX } from "../definition/engine-names";
import { REGIONS, SETTINGS, type ProviderArgs } from "./provider-args";
import { requirePlain, runError } from "./program-errors";

/** Settings by the name that they have in a provider's configuration. */
export type ProviderSettings = Readonly<Record<string, string>>;

/** A provider of either form. */
export interface WorkspaceProvider extends pulumi.ProviderResource {
  /** The settings that data sources use; @internal */
  readonly settings: pulumi.Output<ProviderSettings>;
}

/** A setting of a provider, as its arguments and stack config have it. */
interface GivenSetting {
  readonly name: keyof ProviderArgs;
  readonly isSecret: boolean;
  readonly own: pulumi.Input<string | number | boolean | object | undefined>;
  /** The value of stack config; undefined if it is for another region. */
  readonly inStack: string | undefined;
}

/** Every setting of a provider. @throws RunError for a region that does not exist */
export function givenSettings(args: ProviderArgs): GivenSetting[] {
  requirePlain("region of a devid.Provider", args.region);
  if (args.region !== undefined && !REGIONS.includes(args.region))
    throw runError(
      `"${String(args.region)}" is not a region; use one of ${REGIONS.join(", ")}.`,
    );
  const stack = new pulumi.Config("devid");
  const isSameRegion =
    args.region === undefined ||
    args.region === (stack.get("region") ?? process.env.DEVID_REGION ?? "us");
  const names = Object.keys(SETTINGS) as (keyof ProviderArgs)[];
  return names.map((name) => {
    const { isSecret, isRegional } = SETTINGS[name];
    const inStack = isSameRegion || !isRegional ? stack.get(name) : undefined;
    return { name, isSecret, own: args[name], inStack };
  });
}

/** The settings as the dynamic form and data sources have them: the arguments, and stack config of the same region. */
export function settingsByName(args: ProviderArgs): pulumi.Inputs {
  const properties: pulumi.Inputs = {};
  for (const { name, isSecret, own, inStack } of givenSettings(args)) {
    const keep = (value: pulumi.Input<string | undefined>) =>
      isSecret ? pulumi.secret(value) : value;
    if (own !== undefined)
      properties[ARGUMENT_PREFIX + name] = keep(
        pulumi
          .output(own)
          .apply((value) => (value === undefined ? undefined : textOf(value))),
      );
    if (inStack !== undefined) properties[STACK_PREFIX + name] = keep(inStack);
  }
  return properties;
}

/** A setting as text; an object as JSON. */
export const textOf = (value: string | number | boolean | object): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
