import {
  configurationOf,
  isLoopback,
  optionsFromEnvironment,
  type Client,
  type ClientOptions,
  type SettingName,
  type SettingSource,
} from "@devid/sdk";
import { ConfigurationError } from "@devid/sdk/errors";
import { z } from "zod";
import { isDefaultProvider, pluginSettings } from "../adapters/plugin-settings";
import {
  containsSecretText,
  containsUnknownText,
  nameOfUrn,
  splitProvider,
  typeOfUrn,
} from "../definition/engine-names";
import { connect, settingSources } from "../definition/setting-sources";
import type { Preview, PreviewedResource } from "./read-preview";

const Owned = z.object({
  owner: z.object({ region: z.string(), workspace: z.string() }).optional(),
});

/** The workspace of a resource, as its state has it. */
export const ownerOf = ({ recorded }: PreviewedResource) =>
  Owned.safeParse(recorded?.outputs ?? {}).data?.owner;

/** URN of the provider of a resource, without its ID. */
export function providerOf({
  after,
  before,
  recorded,
}: PreviewedResource): string {
  const { provider = "" } = after ?? before ?? recorded ?? {};
  return splitProvider(provider).urn;
}

/** Where the provider of a resource finds its settings, before environment variables. */
export interface PreviewedSettings {
  readonly sources: readonly SettingSource[];
  /** The text of a setting; undefined if none of the sources has it. */
  get(name: SettingName): string | undefined;
}

/**
 * The settings of the provider of a resource: the arguments of an explicit provider, or
 * stack config, then the region in the state of the resource. Values that the preview
 * hides or does not know are left out.
 * @param stackConfig by names such as `devid:region`; default: that of the preview
 */
export function settingsOfProvider(
  resource: PreviewedResource,
  { resources, config }: Preview,
  stackConfig: Readonly<Record<string, string | undefined>> = config,
): PreviewedSettings {
  const urn = providerOf(resource);
  const name = nameOfUrn(urn);
  const shown = resources.find((one) => one.urn === urn);
  const inputs = (shown?.after ?? shown?.before)?.inputs ?? {};
  const isDefault = shown === undefined || isDefaultProvider(name);
  const known: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(isDefault ? { ...stackConfig, ...inputs } : inputs).filter(
      ([, value]) => !containsUnknownText(value) && !containsSecretText(value),
    ),
  );
  const isPlugin = typeOfUrn(urn) === "pulumi:providers:devid";
  const reading = isDefault ? "" : " (a preview hides secrets)";
  const sources: SettingSource[] = [
    ...(isPlugin && !isDefault
      ? [pluginSettings(known, name, reading)]
      : settingSources(
          (key) => {
            const value = known[key];
            return typeof value === "string" ? value : undefined;
          },
          { reading },
        )),
    {
      settings: { region: ownerOf(resource)?.region },
      describe: (setting) => (setting === "region" ? "the state" : undefined),
    },
  ];
  return {
    sources,
    get: (setting) =>
      sources
        .map(({ settings }) => settings[setting])
        .find((value) => value !== undefined),
  };
}

/**
 * A client with the settings of a preview. Anybody may have written that file, so keys of the
 * environment go only to the public hosts, to addresses of the environment and to this machine.
 * @throws ConfigurationError
 */
export function connectPreviewed(
  sources: readonly SettingSource[],
  options: ClientOptions = {},
): Client {
  const client = connect(sources, options);
  const { configuration } = client;
  const known = [process.env, {}].map((env) =>
    configurationOf(
      optionsFromEnvironment([], {
        ...env,
        DEVID_REGION: configuration.region,
      }),
    ),
  );
  for (const name of ["managementUrl", "eventsUrl", "drnUrl"] as const) {
    const { origin, hostname } = new URL(configuration[name]);
    const isKnown =
      isLoopback(hostname) ||
      known.some((one) => new URL(one[name]).origin === origin);
    if (!isKnown)
      throw new ConfigurationError(
        `The preview names the address ${origin}, which the environment does not. If your keys may be sent there, set DEVID_ENDPOINT=${origin}.`,
      );
  }
  return client;
}
