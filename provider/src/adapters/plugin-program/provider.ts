import * as pulumi from "@pulumi/pulumi";
import { runError } from "../dynamic/program/program-errors";
import {
  REGIONS,
  SETTINGS,
  type ProviderArgs,
} from "../dynamic/program/provider-args";
import { VERSION } from "./plugin-resource";

/**
 * The workspace that resources belong to, where that is another one than stack
 * config says.
 *
 * @example
 * const eu = new devid.Provider("eu", { region: "eu", managementKey });
 * new devid.ApiKey("shop", { name: "Shop", type: "public" }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(
    name: string,
    args: ProviderArgs = {},
    opts?: pulumi.ResourceOptions,
  ) {
    super(
      "devid",
      name,
      providerProperties(args),
      pulumi.mergeOptions({ version: VERSION }, opts),
    );
  }
}

/** The arguments, and for those that are missing, what stack config says of the same region. */
function providerProperties(args: ProviderArgs): pulumi.Inputs {
  if (args.region !== undefined && !REGIONS.includes(args.region))
    throw runError(
      `"${String(args.region)}" is not a region; use one of ${REGIONS.join(", ")}.`,
    );
  const stack = new pulumi.Config("devid");
  const isSameRegion =
    args.region === undefined ||
    args.region === (stack.get("region") ?? process.env.DEVID_REGION ?? "us");
  const properties: pulumi.Inputs = {};
  for (const name of Object.keys(SETTINGS) as (keyof ProviderArgs)[]) {
    const { isSecret, isRegional } = SETTINGS[name];
    const own: pulumi.Input<string | number | undefined> = args[name];
    const inStack = isSameRegion || !isRegional ? stack.get(name) : undefined;
    if (own === undefined && inStack === undefined) continue;
    const value = pulumi
      .output(own)
      .apply((given) => (given === undefined ? inStack : String(given)));
    properties[name] = isSecret ? pulumi.secret(value) : value;
  }
  return properties;
}
