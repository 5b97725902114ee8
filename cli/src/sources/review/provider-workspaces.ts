import { connectPreviewed } from "@devid/pulumi/state";
import {
  REGIONS,
  settingVariables,
  type Client,
  type Region,
} from "@devid/sdk";
import { UsageError } from "../../errors";
import { type LiveRules, liveOf } from "../live-rules";

/**
 * The settings of a provider that say where its workspace is. Missing ones come from
 * environment variables.
 */
const PLACE = ["region", "endpoint", "managementUrl", "eventsUrl"] as const;

type ProviderPlace = Partial<Record<(typeof PLACE)[number], string>>;

/** The workspace of a provider, with its clients as far as keys are configured. */
export interface Workspace {
  readonly client: Client;
  readonly region: Region;
  /** Whether the flags and the environment name this workspace. */
  readonly isMain: boolean;
  /** The rules in force; absent without a management key, and if the service is not asked. */
  readonly live?: LiveRules;
}

/** Opens the workspaces of a program's providers, each once. */
export class ProviderWorkspaces {
  readonly #opened = new Map<string, Workspace>();

  /**
   * @param client the client that the flags and the environment configure
   * @param isAsked whether the service may be asked for rules in force
   * @param open how to open the workspace of a provider
   */
  constructor(
    private readonly client: Client,
    private readonly isAsked = true,
    private readonly open = connectPreviewed,
  ) {
    this.main = this.#workspace(client, true);
  }

  /** The workspace that the flags and the environment name. */
  readonly main: Workspace;

  /**
   * The workspace of a provider. In another region, only the keys of that region
   * count, such as `DEVID_MANAGEMENT_KEY_EU`: any other key would be refused there.
   * @throws UsageError if there is no such region; ConfigurationError
   */
  of(settings: {
    get(name: keyof ProviderPlace): string | undefined;
  }): Workspace {
    const provider: ProviderPlace = Object.fromEntries(
      PLACE.map((name) => [name, settings.get(name)]),
    );
    if (Object.values(provider).every((value) => value === undefined))
      return this.main;
    const key = JSON.stringify(provider);
    const opened = this.#opened.get(key) ?? this.#open(provider);
    this.#opened.set(key, opened);
    return opened;
  }

  #open({ region, ...addresses }: ProviderPlace): Workspace {
    const { configuration: here } = this.client;
    const known = REGIONS.find((one) => one === (region ?? here.region));
    if (known === undefined)
      throw new UsageError(
        `A provider of the preview is in region "${region}"; there are ${REGIONS.join(", ")}.`,
      );
    const source = {
      settings: { region: known, ...addresses },
      describe: (name: string) => `provider argument ${name}`,
    };
    const keys = known === here.region ? {} : keysOf(known);
    const client = this.open([source], keys);
    const { configuration: there } = client;
    const isMain =
      there.region === here.region &&
      there.managementUrl === here.managementUrl &&
      there.eventsUrl === here.eventsUrl;
    return isMain ? this.main : this.#workspace(client, false);
  }

  #workspace(client: Client, isMain: boolean): Workspace {
    const { region } = client.configuration;
    const live = this.isAsked ? liveOf(client) : undefined;
    return { client, region, isMain, ...(live && { live }) };
  }
}

/** The keys of a region, without keys that name no region. */
const keysOf = (region: Region) => ({
  managementKey: process.env[keyVariable("managementKey", region)]?.trim(),
  secretKey: process.env[keyVariable("secretKey", region)]?.trim(),
});

/** The environment variable of a region's key: `DEVID_MANAGEMENT_KEY_EU`. */
export const keyVariable = (
  name: "managementKey" | "secretKey",
  region: Region,
): string => settingVariables(name, region)[0] ?? "";
