import {
  REGIONS,
  SETTING_NAMES,
  type Region,
  type SettingName,
} from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import {
  ARGUMENT_PREFIX,
  STACK_PREFIX,
} from "../../definition/provider-settings";
import { runError } from "./run-error";

/** Arguments of a `Provider`; what is left out comes from stack config, then from the environment. */
export interface ProviderArgs {
  /** Management API key. */
  readonly managementKey?: pulumi.Input<string | undefined>;
  /** Secret API key, for events and device reputation. */
  readonly secretKey?: pulumi.Input<string | undefined>;
  /** Region of the workspace; default `us`. */
  readonly region?: Region | undefined;
  /** One origin that serves every surface, for example the local service. */
  readonly endpoint?: pulumi.Input<string | undefined>;
  /** Address of the management API; overrides `endpoint`. */
  readonly managementUrl?: pulumi.Input<string | undefined>;
  /** Address of the events API; overrides `endpoint`. */
  readonly eventsUrl?: pulumi.Input<string | undefined>;
  /** Address of the device reputation API; overrides `endpoint`. */
  readonly drnUrl?: pulumi.Input<string | undefined>;
  /** Version of the management API; default `2025-11-20`. */
  readonly apiVersion?: pulumi.Input<string | undefined>;
  /** Throttle of the management API, requests per second a key; default 5. */
  readonly requestsPerSecond?: pulumi.Input<number | undefined>;
  /** Throttle of the events API, requests per second a key, or `off`; default 5. */
  readonly eventsRequestsPerSecond?: pulumi.Input<number | "off" | undefined>;
}

const SECRET: readonly SettingName[] = ["managementKey", "secretKey"];

/** Settings of one region: those of stack config are not carried to another. */
const REGIONAL: readonly SettingName[] = [...SECRET, "eventsUrl"];

/**
 * A workspace to manage, where a program manages more than the one of its
 * stack config.
 *
 * @example
 * const eu = new devid.Provider("eu", { region: "eu", managementKey });
 * new devid.ApiKey("shop", { name: "Shop", type: "public" }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  /** What data sources ask with; @internal */
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
  const sameRegion =
    args.region === undefined ||
    args.region === (stack.get("region") ?? process.env.DEVID_REGION ?? "us");
  const properties: pulumi.Inputs = {};
  for (const name of SETTING_NAMES) {
    const own = args[name];
    const keep = (value: pulumi.Input<string | undefined>) =>
      SECRET.includes(name) ? pulumi.secret(value) : value;
    if (own !== undefined)
      properties[ARGUMENT_PREFIX + name] = keep(
        pulumi
          .output<string | number | undefined>(own)
          .apply((value) => (value === undefined ? undefined : String(value))),
      );
    const ofStack = stack.get(name);
    if (ofStack !== undefined && (sameRegion || !REGIONAL.includes(name)))
      properties[STACK_PREFIX + name] = keep(ofStack);
  }
  return properties;
}
