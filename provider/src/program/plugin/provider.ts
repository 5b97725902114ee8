import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "../provider-args";
import {
  asArguments,
  settingsByName,
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
    const settings = settingsByName(args);
    noteOverrides(name, args.overrides);
    super(
      "devid",
      name,
      asArguments(settings),
      pulumi.mergeOptions({ version: VERSION }, opts),
    );
    this.settings = pulumi.output(settings);
  }
}
