import {
  configurationOf,
  optionsFromEnvironment,
  SETTING_NAMES,
  type SettingName,
  type SettingSource,
} from "@devid/sdk";
import {
  PROVIDER_SETTINGS,
  secretSettings,
  stackConfigAdvice,
  type ProviderSetting,
} from "../definition/configuration";
import { resourceSettings } from "../session/resource-settings";
import {
  bare,
  containsSecret,
  containsUnknown,
  Secret,
  UNKNOWN,
  type Properties,
} from "../definition/value";
import { loadKind } from "../kinds";
import { propertyDiffs } from "../lifecycle/difference";
import type { CheckResponse, DiffResponse } from "../lifecycle/requests";

/** Members that the engine adds to the settings of a provider. */
const ENGINES_OWN = ["version", "pluginDownloadURL"];

/**
 * Whether the engine gave this name to a default provider, which resources without an
 * explicit provider use.
 */
export const isDefaultProvider = (name: string) => /^default(_|$)/.test(name);

/**
 * Checks the settings of a provider one by one, so that each failure names its setting.
 * Returns the settings unchanged, with keys as secrets. A default provider gets all
 * stack config under `devid:`, also values of the program.
 */
export function checkSettings(
  news: Properties,
  providerName: string,
): CheckResponse {
  const isDefault = isDefaultProvider(providerName);
  const failures = Object.entries(news).flatMap(([property, value]) => {
    const isIgnored = isDefault && !isSetting(property);
    if (isIgnored || ENGINES_OWN.includes(property)) return [];
    const reason = objection(property, value);
    return reason === undefined ? [] : [{ property, reason }];
  });
  const secrets: readonly string[] = secretSettings();
  const inputs = Object.entries(news).map(([name, value]) => [
    name,
    secrets.includes(name) && !(value instanceof Secret) && value !== UNKNOWN
      ? new Secret(value)
      : value,
  ]);
  return { inputs: Object.fromEntries(inputs) as Properties, failures };
}

/** Why a setting cannot be used; undefined if it can be used, or is not known yet. */
function objection(name: string, value: unknown): string | undefined {
  if (!isSetting(name))
    return `is not a setting of devid; the settings are ${PROVIDER_SETTINGS.join(", ")}`;
  const text = textOf(value);
  const isForResources = name === "adopt" || name === "overrides";
  if (text === null && !isForResources)
    return "must be a text, a number, true or false";
  try {
    if (isForResources)
      resourceSettings({ [name]: valueOf(value) }, loadKind, {});
    else {
      const describe = (given: SettingName) => given;
      const source = { settings: { [name]: text ?? undefined }, describe };
      configurationOf(optionsFromEnvironment([source], {}));
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The settings of a provider that say how resources are made. @throws ConfigurationError */
export const pluginResourceSettings = (args: Properties) => ({
  ...resourceSettings(
    { adopt: valueOf(args.adopt), overrides: valueOf(args.overrides) },
    loadKind,
  ),
  hidesOverrides: containsSecret(args.overrides),
});

/** A setting that may be an object; undefined while it is not known. */
function valueOf(value: unknown): unknown {
  if (containsUnknown(value)) return undefined;
  return textOf(value) ?? bare(value) ?? undefined;
}

/**
 * Compares the settings of a provider. No change of a setting replaces the provider,
 * because that would replace all of its resources: with a mistyped region, keys and
 * rules in use would be deleted. The state says which workspace a resource belongs to,
 * and the preview of a resource in another region is refused (docs/ownership.md).
 */
export function diffSettings(olds: Properties, news: Properties): DiffResponse {
  const properties = PROVIDER_SETTINGS.flatMap((name) => {
    const is = containsUnknown(news[name]) ? UNKNOWN : valueOf(news[name]);
    return propertyDiffs([name], valueOf(olds[name]), is, false);
  });
  return { changes: properties.length > 0, properties, replaces: [] };
}

/**
 * The settings of a provider, as a source for the SDK. `providerName` is the engine's
 * name for the provider; `reading` says when they are read.
 */
export function pluginSettings(
  args: Properties,
  providerName = "",
  reading = "",
): SettingSource {
  const isDefault = isDefaultProvider(providerName);
  return {
    settings: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, textOf(args[name]) ?? undefined]),
    ),
    describe: (name) =>
      (isDefault
        ? `stack config devid:${name}`
        : `argument ${name} of the provider ${providerName}`) + reading,
    ...(isDefault && { advice: stackConfigAdvice }),
  };
}

/**
 * A setting as text. A program may give a number or a boolean, or a text, as stack
 * config does. Some SDKs write every argument as JSON, so a text may be in quotes.
 * @returns undefined if it is absent or not known yet, null if it is an object or a list
 */
function textOf(value: unknown): string | null | undefined {
  const given = bare(value);
  if (given === undefined || given === null || given === UNKNOWN)
    return undefined;
  if (typeof given === "number" || typeof given === "boolean")
    return String(given);
  if (typeof given !== "string") return null;
  return /^".*"$/s.test(given) ? unquoted(given) : given;
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

const isSetting = (name: string): name is ProviderSetting =>
  (PROVIDER_SETTINGS as readonly string[]).includes(name);
