import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "../provider-args";
import {
  givenSettings,
  settingsByName,
  textOf,
  type ProviderSettings,
} from "../provider-settings";
import { noteOverrides } from "../note-overrides";
import { VERSION } from "./adapter";

/**
 * The workspace of resources, if it is another workspace than in stack config.
 *
 * @example
 * const eu = new devid.Provider("eu", { region: "eu", managementKey });
 * new devid.ApiKey("shop", { name: "Shop", type: "public" }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings that data sources use; @internal */
  readonly settings: pulumi.Output<ProviderSettings>;

  constructor(
    name: string,
    args: ProviderArgs = {},
    opts?: pulumi.ResourceOptions,
  ) {
    noteOverrides(name, args.overrides);
    super(
      "devid",
      name,
      providerProperties(args),
      pulumi.mergeOptions({ version: VERSION }, opts),
    );
    this.settings = pulumi.output(settingsByName(args));
  }
}

/** The arguments. Missing arguments come from stack config of the same region. */
function providerProperties(args: ProviderArgs): pulumi.Inputs {
  const properties: pulumi.Inputs = {};
  for (const { name, isSecret, own, inStack } of givenSettings(args)) {
    if (own === undefined && inStack === undefined) continue;
    const value = pulumi
      .output(own)
      .apply((given) => (given === undefined ? inStack : textOf(given)));
    properties[name] = isSecret ? pulumi.secret(value) : value;
  }
  return properties;
}
