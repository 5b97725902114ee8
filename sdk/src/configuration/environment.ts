import { ConfigurationError } from "../http/errors";
import { hiding } from "../http/redact";
import {
  checkedFlag,
  checkedRate,
  checkedRegion,
  CONNECTION_KINDS,
  type ConnectionOptions,
  type SettingName,
} from "./configuration";
import type { Region } from "../wire/regions";

/** Names of all settings; stack config has them as `devid:<name>`. */
export const SETTING_NAMES = Object.keys(CONNECTION_KINDS).filter(
  (name): name is SettingName => name !== "originOf",
);

/** The settings that one source has, as text. */
export type Settings = { readonly [N in SettingName]?: string };

/** A place where settings come from, for example stack config. Earlier sources win. */
export interface SettingSource {
  readonly settings: Settings;
  /** The place of a setting, for messages: `stack config devid:region`. `undefined` if the source cannot have the setting. */
  describe(name: SettingName): string | undefined;
  /** A sentence for a missing setting: how to set it in this source. */
  advice?(name: SettingName): string | undefined;
}

const variable = (name: SettingName) =>
  `DEVID_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/**
 * The environment variables of a setting; the first one that is set counts. A key has
 * one variable for each region. If a region is given, its variable comes first.
 */
export function settingVariables(name: SettingName, region?: Region): string[] {
  return region && name.endsWith("Key")
    ? [`${variable(name)}_${region.toUpperCase()}`, variable(name)]
    : [variable(name)];
}

/** Whether a variable holds a key, with or without a region: `DEVID_SECRET_KEY_EU`. */
export const isKeyVariable = (name: string): boolean =>
  /^DEVID_(?:MANAGEMENT|SECRET)_KEY(?:_[A-Z]+)?$/.test(name);

/**
 * The environment as a source of settings. `DEVID_MANAGEMENT_KEY_EU` wins over
 * `DEVID_MANAGEMENT_KEY` in its region.
 */
export function environmentSource(
  env: NodeJS.ProcessEnv,
  region: Region,
): SettingSource {
  const names = (name: SettingName) => settingVariables(name, region);
  const holder = (name: SettingName) => names(name).find((n) => env[n]?.trim());
  return {
    settings: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, env[holder(name) ?? ""]]),
    ),
    describe: (name) =>
      `environment ${holder(name) ?? names(name).join(", then ")}`,
  };
}

/**
 * The options of a client from the environment: `DEVID_REGION` and so on, parsed. The
 * given sources win over the environment. The object prints without its keys.
 *
 * @example
 * const client = createClient({ ...optionsFromEnvironment(), timeoutMs: 5_000 });
 * @throws ConfigurationError naming the setting and the place it came from
 */
export function optionsFromEnvironment(
  given: readonly SettingSource[] = [],
  env: NodeJS.ProcessEnv = process.env,
): ConnectionOptions {
  const wrong: unknown = given;
  if (!Array.isArray(wrong) || !wrong.every(isSource))
    throw new ConfigurationError(
      "optionsFromEnvironment takes a list of sources of settings, each with settings and describe, or nothing.",
    );
  const region = readRegion(given, env);
  const sources = [...given, environmentSource(env, region ?? "us")];
  const values: { [N in SettingName]?: string } = {};
  const foundIn: { [N in SettingName]?: string } = {};
  for (const name of SETTING_NAMES)
    for (const source of sources) {
      const value = source.settings[name]?.trim();
      if (!value || values[name] !== undefined) continue;
      values[name] = value;
      foundIn[name] = source.describe(name) ?? name;
    }
  const rate = (name: "requestsPerSecond" | "eventsRequestsPerSecond") => {
    const { [name]: text } = values;
    if (text === undefined) return undefined;
    return checkedRate(name, Number(text), foundIn[name] ?? name, text);
  };
  const flag = (text: string | undefined) =>
    text === undefined
      ? undefined
      : checkedFlag(BOOLEANS.get(text) ?? text, String(foundIn.allowInsecure));
  const options: ConnectionOptions = {
    ...values,
    region,
    allowInsecure: flag(values.allowInsecure),
    requestsPerSecond: rate("requestsPerSecond"),
    eventsRequestsPerSecond:
      values.eventsRequestsPerSecond === "off"
        ? "off"
        : rate("eventsRequestsPerSecond"),
    originOf: (name) => ({
      found: foundIn[name],
      places: sources.flatMap((source) => source.describe(name) ?? []),
      advice: sources.flatMap((source) => source.advice?.(name) ?? []),
    }),
  };
  return hiding(options, ["managementKey", "secretKey"]);
}

/** Whether a value is a source of settings, each of which is a text. */
function isSource(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { settings, describe } = value as Record<string, unknown>;
  return (
    typeof describe === "function" &&
    typeof settings === "object" &&
    settings !== null &&
    Object.values(settings).every(
      (setting) => setting === undefined || typeof setting === "string",
    )
  );
}

/** The flags by their texts. */
const BOOLEANS = new Map([
  ["true", true],
  ["false", false],
]);

function readRegion(
  given: readonly SettingSource[],
  env: NodeJS.ProcessEnv,
): Region | undefined {
  for (const source of [...given, environmentSource(env, "us")]) {
    const value = source.settings.region?.trim();
    if (value)
      return checkedRegion(value, source.describe("region") ?? "region");
  }
  return undefined;
}
