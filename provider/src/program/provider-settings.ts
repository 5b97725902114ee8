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

/**
 * The settings of a provider by the names that they have in its configuration: the
 * arguments, and stack config. A setting for another region than that of stack config is
 * not read from there. @throws RunError for a region that does not exist
 */
export function settingsByName(args: ProviderArgs): pulumi.Inputs {
  requirePlain("region of a devid.Provider", args.region);
  if (args.region !== undefined && !REGIONS.includes(args.region))
    throw runError(
      `"${String(args.region)}" is not a region; use one of ${REGIONS.join(", ")}.`,
    );
  const stack = new pulumi.Config("devid");
  const isSameRegion =
    args.region === undefined ||
    args.region ===
      // Blanks count as absent, as in the SDK.
      (stack.get("region")?.trim() || process.env.DEVID_REGION?.trim() || "us");
  const properties: pulumi.Inputs = {};
  for (const name of SETTING_NAMES) {
    const { isSecret, isRegional } = SETTINGS[name];
    const keep = (value: pulumi.Input<string | undefined>) =>
      isSecret ? pulumi.secret(value) : value;
    const own: pulumi.Input<string | number | boolean | object | undefined> =
      args[name];
    const inStack = isSameRegion || !isRegional ? stack.get(name) : undefined;
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

const SETTING_NAMES = Object.keys(SETTINGS) as (keyof ProviderArgs)[];

/** The same settings as the arguments of the plugin: those of stack config only where the program gives none. */
export function asArguments(settings: pulumi.Inputs): pulumi.Inputs {
  const properties: pulumi.Inputs = {};
  for (const name of SETTING_NAMES) {
    const own = settings[ARGUMENT_PREFIX + name] as unknown;
    const inStack = settings[STACK_PREFIX + name] as unknown;
    properties[name] =
      own === undefined
        ? inStack
        : pulumi.all([own, inStack]).apply(([given, other]) => given ?? other);
  }
  return properties;
}

/** A setting as text; an object as JSON. */
const textOf = (value: string | number | boolean | object): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
