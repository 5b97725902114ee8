import { REGIONS, SETTING_NAMES } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import { secretSettings, settingMeta } from "../../../definition/configuration";
import {
  ARGUMENT_PREFIX,
  STACK_PREFIX,
} from "../../../definition/provider-settings";
import type { ProviderArgs } from "./provider-args";
import { runError } from "./program-errors";

/**
 * The workspace that resources belong to, where that is another one than stack
 * config says.
 *
 * @example
 * const eu = new devid.Provider("eu", { region: "eu", managementKey });
 * new devid.ApiKey("shop", { name: "Shop", type: "public" }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings that data sources use; @internal */
  readonly settings: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(
    name: string,
    args: ProviderArgs = {},
    opts?: pulumi.ResourceOptions,
  ) {
    const properties = providerProperties(args);
    super("pulumi-nodejs", name, properties, opts);
    this.settings = pulumi.output(properties);
  }
}

function providerProperties(args: ProviderArgs): pulumi.Inputs {
  if (args.region !== undefined && !REGIONS.includes(args.region))
    throw runError(
      `"${String(args.region)}" is not a region; use one of ${REGIONS.join(", ")}.`,
    );
  const stack = new pulumi.Config("devid");
  const isSameRegion =
    args.region === undefined ||
    args.region === (stack.get("region") ?? process.env.DEVID_REGION ?? "us");
  const secrets = secretSettings();
  const properties: pulumi.Inputs = {};
  for (const name of SETTING_NAMES) {
    const own = args[name];
    const keep = (value: pulumi.Input<string | undefined>) =>
      secrets.includes(name) ? pulumi.secret(value) : value;
    if (own !== undefined)
      properties[ARGUMENT_PREFIX + name] = keep(
        pulumi
          .output<string | number | undefined>(own)
          .apply((value) => (value === undefined ? undefined : String(value))),
      );
    const inStack = stack.get(name);
    if (inStack !== undefined && (isSameRegion || !settingMeta(name).regional))
      properties[STACK_PREFIX + name] = keep(inStack);
  }
  return properties;
}
