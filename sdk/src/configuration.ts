import { isLoopback } from "./http/connections";
import { ConfigurationError } from "./http/errors";

/** Regions of the service (docs/contract.md, "Regions"). */
export const REGIONS = ["us", "eu", "ap"] as const;

/** One region. */
export type Region = (typeof REGIONS)[number];

/** Names of all settings; stack config has them as `devid:<name>`. */
export const SETTING_NAMES = [
  "managementKey",
  "secretKey",
  "region",
  "endpoint",
  "managementUrl",
  "eventsUrl",
  "drnUrl",
  "apiVersion",
  "requestsPerSecond",
  "eventsRequestsPerSecond",
] as const;

/** Name of one setting. */
export type SettingName = (typeof SETTING_NAMES)[number];

/** Settings as text, as far as one source has them. */
export type Settings = { readonly [N in SettingName]?: string };

/** A place where settings come from, for example stack config. Earlier sources win. */
export interface SettingSource {
  readonly settings: Settings;
  /** What a setting is called there, for messages: `stack config devid:region`; `undefined` where it cannot stand there. */
  describe(name: SettingName): string | undefined;
}

/** A value and where it was found. */
export interface Found {
  readonly value: string;
  readonly from: string;
}

/** The configuration of a client, complete and checked. */
export interface Configuration {
  readonly region: Region;
  /** {management_url}: the contract's paths are appended, nothing else. */
  readonly managementUrl: string;
  /** {base_url} of the events API. */
  readonly eventsUrl: string;
  /** {drn_url}. */
  readonly drnUrl: string;
  /** X-API-Version of the management API. */
  readonly apiVersion: string;
  /** Throttle of the management API, a key. */
  readonly requestsPerSecond: number;
  /** Throttle of the events API, both versions, a key. */
  readonly eventsRequestsPerSecond: number | "off";
  readonly managementKey?: Found;
  readonly secretKey?: Found;
  /** For messages: where each key is looked for, in order. */
  readonly lookedFor: {
    readonly managementKey: readonly string[];
    readonly secretKey: readonly string[];
  };
}

const PUBLIC_EVENTS_URLS: Record<Region, string> = {
  us: "https://api.fpjs.io",
  eu: "https://eu.api.fpjs.io",
  ap: "https://ap.api.fpjs.io",
};
const PUBLIC_MANAGEMENT_URL = "https://management-api.fpjs.io";
const PUBLIC_DRN_URL = "https://drn-api.fpjs.io";
const DEFAULT_API_VERSION = "2025-11-20";
const DEFAULT_REQUESTS_PER_SECOND = "5";

const variable = (name: SettingName) =>
  `DEVID_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/**
 * The environment variables that are looked at for a setting, in order. A key
 * has one for each region, which comes first where a region is given.
 */
export function settingVariables(name: SettingName, region?: Region): string[] {
  return region && name.endsWith("Key")
    ? [`${variable(name)}_${region.toUpperCase()}`, variable(name)]
    : [variable(name)];
}

/**
 * The environment as a source of settings. A key of a region,
 * `DEVID_MANAGEMENT_KEY_EU`, wins over the one without.
 */
export function environmentSource(
  env: NodeJS.ProcessEnv,
  region: Region,
): SettingSource {
  const names = (name: SettingName) => settingVariables(name, region);
  const holder = (name: SettingName) => names(name).find((n) => env[n]);
  return {
    settings: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, env[holder(name) ?? ""]]),
    ),
    describe: (name) =>
      `environment ${holder(name) ?? names(name).join(", then ")}`,
  };
}

/**
 * Reads the configuration: the given sources in their order, then the
 * environment. Without an endpoint or a URL, the public hosts of the region
 * apply (docs/contract.md, "Regions").
 * @throws ConfigurationError naming the setting and the place it came from
 */
export function resolveConfiguration(
  given: readonly SettingSource[],
  env: NodeJS.ProcessEnv = process.env,
): Configuration {
  const region = readRegion(given, env);
  const sources = [...given, environmentSource(env, region)];
  const find = (name: SettingName): Found | undefined => {
    for (const source of sources) {
      // A key read from a file often ends in a line break.
      const value = source.settings[name]?.trim();
      if (value) return { value, from: source.describe(name) ?? name };
    }
    return undefined;
  };
  const url = (name: SettingName, path: string, publicUrl: string) => {
    const own = find(name);
    if (own) return readUrl(own);
    const endpoint = find("endpoint");
    return endpoint ? readUrl(endpoint) + path : publicUrl;
  };
  const lookedFor = (name: SettingName) =>
    sources.flatMap((source) => source.describe(name) ?? []);
  return {
    region,
    managementUrl: url("managementUrl", "/management", PUBLIC_MANAGEMENT_URL),
    eventsUrl: url("eventsUrl", `/${region}`, PUBLIC_EVENTS_URLS[region]),
    drnUrl: url("drnUrl", "", PUBLIC_DRN_URL),
    apiVersion: find("apiVersion")?.value ?? DEFAULT_API_VERSION,
    requestsPerSecond: readRate(find("requestsPerSecond")),
    eventsRequestsPerSecond: readRateOrOff(find("eventsRequestsPerSecond")),
    managementKey: find("managementKey"),
    secretKey: find("secretKey"),
    lookedFor: {
      managementKey: lookedFor("managementKey"),
      secretKey: lookedFor("secretKey"),
    },
  };
}

/** Whether the management API of a configuration is on this machine: only then may a webhook be http to loopback. */
export function isLocal(configuration: Configuration): boolean {
  return isLoopback(new URL(configuration.managementUrl).hostname);
}

function readRegion(
  given: readonly SettingSource[],
  env: NodeJS.ProcessEnv,
): Region {
  for (const source of [...given, environmentSource(env, "us")]) {
    const value = source.settings.region?.trim();
    if (!value) continue;
    const region = REGIONS.find((known) => known === value);
    if (region) return region;
    throw new ConfigurationError(
      `"${value}" (${source.describe("region") ?? "region"}) is not a region; use one of ${REGIONS.join(", ")}.`,
    );
  }
  return "us";
}

function readUrl({ value, from }: Found): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw new ConfigurationError(
      `"${value}" (${from}) is not an http or https address.`,
    );
  if (url.username || url.password || /[?#]/.test(value))
    throw new ConfigurationError(
      `The address in ${from} must hold neither credentials nor a query nor a fragment.`,
    );
  return value.replace(/\/+$/, "");
}

function readRateOrOff(found: Found | undefined): number | "off" {
  return found?.value === "off" ? "off" : readRate(found, ', or "off"');
}

function readRate(found: Found | undefined, or = ""): number {
  const text = found?.value ?? DEFAULT_REQUESTS_PER_SECOND;
  const rate = Number(text);
  if (Number.isFinite(rate) && rate > 0) return rate;
  throw new ConfigurationError(
    `"${text}" (${found?.from}) is not a number of requests per second above 0${or}.`,
  );
}

/** The message for a configuration without a management key: which key, where it was looked for, in what order. */
export function missingManagementKey(configuration: Configuration): string {
  return missing(
    configuration,
    "management API key",
    configuration.lookedFor.managementKey,
    "devid:managementKey",
  );
}

/** The same for the secret API key. */
export function missingSecretKey(configuration: Configuration): string {
  return missing(
    configuration,
    "secret API key",
    configuration.lookedFor.secretKey,
    "devid:secretKey",
  );
}

function missing(
  { region }: Configuration,
  what: string,
  lookedFor: readonly string[],
  setting: string,
): string {
  const places = lookedFor
    .map((place, index) => `\n  ${index + 1}. ${place}`)
    .join("");
  return (
    `The ${what} of region ${region} is missing. It was looked for, in this order, in:${places}\n` +
    `Make one in the service's dashboard; a stack keeps it encrypted with: pulumi config set --secret ${setting}`
  );
}
