import { isLoopback, parseUrl } from "../address";
import { ConfigurationError } from "../http/errors";
import { headerTextProblem } from "../http/header-text";
import { nearest } from "../http/nearest";
import { kindOf } from "../kind-of";
import { REGIONS, type Region } from "../wire/regions";

/** The workspace of a client, its addresses, and its rate of requests. */
export interface ConnectionOptions {
  /** Default `us`. */
  readonly region?: Region | undefined;
  /** Key of the management API. */
  readonly managementKey?: string | undefined;
  /** Secret API key, for events and device reputation. */
  readonly secretKey?: string | undefined;
  /** One origin that serves every surface, for example the local service. */
  readonly endpoint?: string | undefined;
  /** Address of the management API, in place of `endpoint`'s. */
  readonly managementUrl?: string | undefined;
  /** Address of the events API, in place of `endpoint`'s. */
  readonly eventsUrl?: string | undefined;
  /** Address of the device reputation API, in place of `endpoint`'s. */
  readonly drnUrl?: string | undefined;
  /** Whether keys may be sent by http, without TLS, to another machine; default false. */
  readonly allowInsecure?: boolean | undefined;
  /** `X-API-Version` of the management API, default `2025-11-20`. */
  readonly apiVersion?: string | undefined;
  /** Most calls per second to the management API with one key. Default: 5. */
  readonly requestsPerSecond?: number | undefined;
  /** Most calls per second to the events API with one key. Default: 5. */
  readonly eventsRequestsPerSecond?: number | "off" | undefined;
  /** For messages: where an option comes from. `optionsFromEnvironment` sets it. */
  readonly originOf?: OriginOf | undefined;
}

/** Name of one setting. */
export type SettingName = Exclude<keyof ConnectionOptions, "originOf">;

/** Where a setting comes from; undefined if the caller gave `createClient` its own options. */
export type OriginOf = (name: SettingName) => OptionOrigin | undefined;

/** Where an option comes from. */
export interface OptionOrigin {
  /** `stack config devid:region`; absent if it was not found. */
  readonly found?: string;
  /** The places where it is looked for, in order. */
  readonly places: readonly string[];
  /** How to set it in one of the places: a sentence for each. */
  readonly advice: readonly string[];
}

/** Where a key was found. The key itself is never shown. */
export interface KeyOrigin {
  readonly from: string;
}

/** The configuration of a client, complete and checked. It holds no key. */
export interface Configuration {
  readonly region: Region;
  /** {management_url}. The client appends only the contract's paths. */
  readonly managementUrl: string;
  /** {base_url} of the events API. */
  readonly eventsUrl: string;
  /** {drn_url}. */
  readonly drnUrl: string;
  /** Whether keys may be sent without TLS to another machine. */
  readonly allowInsecure: boolean;
  /** X-API-Version of the management API. */
  readonly apiVersion: string;
  /** Throttle of the management API, for each key. */
  readonly requestsPerSecond: number;
  /** Throttle of the events API, for each key. */
  readonly eventsRequestsPerSecond: number | "off";
  /** Absent if there is no such key. */
  readonly managementKey?: KeyOrigin;
  readonly secretKey?: KeyOrigin;
  /** For messages: where each option comes from. */
  readonly originOf: OriginOf;
}

const PUBLIC_EVENTS_URLS: Record<Region, string> = {
  us: "https://api.fpjs.io",
  eu: "https://eu.api.fpjs.io",
  ap: "https://ap.api.fpjs.io",
};
const PUBLIC_MANAGEMENT_URL = "https://management-api.fpjs.io";
const PUBLIC_DRN_URL = "https://drn-api.fpjs.io";
const DEFAULT_API_VERSION = "2025-11-20";

/** In this version, filtering rules are lists of origins (docs/contract.md, "Filtering rules in version 2024-05-20"). */
const ORIGIN_LISTS_VERSION = "2024-05-20";

const DEFAULT_REQUESTS_PER_SECOND = 5;

/**
 * Checks options and completes them. Without an endpoint or a URL, the public
 * hosts of the region apply (docs/contract.md, "Regions").
 * @throws ConfigurationError naming the option and where it came from
 */
export function configurationOf(options: ConnectionOptions): Configuration {
  assertKinds(options, CONNECTION_KINDS);
  const { region = "us", endpoint, originOf = () => undefined } = options;
  const from = (name: SettingName) =>
    originOf(name)?.found ?? ofCreateClient(name);
  checkedRegion(region, from("region"));
  const url = (
    name: "managementUrl" | "eventsUrl" | "drnUrl",
    path: string,
    publicUrl: string,
  ) => {
    const own = options[name];
    if (own) return checkedUrl(own, from(name));
    return endpoint
      ? checkedOrigin(endpoint, from("endpoint")) + path
      : publicUrl;
  };
  const rate = (name: "requestsPerSecond" | "eventsRequestsPerSecond") => {
    const { [name]: perSecond = DEFAULT_REQUESTS_PER_SECOND } = options;
    return checkedRate(name, perSecond, from(name));
  };
  const key = (name: "managementKey" | "secretKey") =>
    isKeyIn(options[name], from(name)) ? { from: from(name) } : undefined;
  const urls = {
    managementUrl: url("managementUrl", "/management", PUBLIC_MANAGEMENT_URL),
    eventsUrl: url("eventsUrl", `/${region}`, PUBLIC_EVENTS_URLS[region]),
    drnUrl: url("drnUrl", "", PUBLIC_DRN_URL),
  };
  const { allowInsecure = false } = options;
  checkedFlag(allowInsecure, from("allowInsecure"));
  if (!allowInsecure)
    for (const [name, keyName] of KEY_OF_URL) {
      const { protocol, hostname, origin } = new URL(urls[name]);
      if (protocol === "https:" || isLoopback(hostname) || !key(keyName))
        continue;
      throw new ConfigurationError(
        `The key of ${from(keyName)} would be sent to ${origin} (${from(options[name] ? name : "endpoint")}) without encryption, and anybody on the way could read it. ` +
          `Use an https address. If the network in between is yours alone, allow it: set ${placesOf({ originOf }, "allowInsecure").join(" or ")} to true.`,
      );
    }
  return {
    region,
    ...urls,
    allowInsecure,
    apiVersion: checkedVersion(options.apiVersion, from("apiVersion")),
    requestsPerSecond: rate("requestsPerSecond"),
    eventsRequestsPerSecond:
      options.eventsRequestsPerSecond === "off"
        ? "off"
        : rate("eventsRequestsPerSecond"),
    managementKey: key("managementKey"),
    secretKey: key("secretKey"),
    originOf,
  };
}

const ofCreateClient = (name: string) => `option ${name} of createClient`;

/** The key that the calls to each address carry. */
export const KEY_OF_URL = [
  ["managementUrl", "managementKey"],
  ["eventsUrl", "secretKey"],
  ["drnUrl", "secretKey"],
] as const;

/** The key in an option, without white space: a key from a file often ends in a line break. */
export function keyIn(option: string | undefined): string | undefined {
  return option?.trim() || undefined;
}

/**
 * Whether an option has a key, which goes into a header.
 * @throws ConfigurationError that names the option and the character, not the key
 */
function isKeyIn(option: string | undefined, from: string): boolean {
  const key = keyIn(option) ?? "";
  const problem = headerTextProblem(key);
  if (problem === undefined) return key !== "";
  throw new ConfigurationError(`The key of ${from} ${problem}`);
}

/** Whether the management API is on this machine. Only then may a webhook have an http address on loopback. */
export function isLocal(configuration: Configuration): boolean {
  return isLoopback(new URL(configuration.managementUrl).hostname);
}

/** The places where an option is looked for, in order. */
export function placesOf(
  { originOf }: Pick<Configuration, "originOf">,
  option: SettingName,
): readonly string[] {
  return originOf(option)?.places ?? [ofCreateClient(option)];
}

/** Why filtering rules cannot be managed with the configured version of the management API; undefined if they can. */
export function rulesObstacle(
  configuration: Configuration,
): string | undefined {
  const { apiVersion } = configuration;
  return apiVersion === ORIGIN_LISTS_VERSION
    ? `filtering rules cannot be managed with version ${apiVersion} of the management API, where they are lists of origins without expressions. ` +
        `Use version ${DEFAULT_API_VERSION}: set ${placesOf(configuration, "apiVersion").join(" or ")}, or remove the setting.`
    : undefined;
}

/** The message for a configuration without a management key. It lists the places of the key. */
export function missingManagementKey(configuration: Configuration): string {
  return missingKey(configuration, "managementKey", "management API key");
}

/** The message for a configuration without a key, which lists the places of the key. */
export function missingKey(
  configuration: Configuration,
  option: "managementKey" | "secretKey",
  what = "secret API key",
): string {
  const places = placesOf(configuration, option);
  const list = places.map((place, n) => `\n  ${n + 1}. ${place}`).join("");
  const [looked, there] =
    places.length > 1
      ? [`in these places, in this order:${list}`, "one of these places"]
      : [`in one place: ${places.join("")}.`, "this place"];
  return [
    `The ${what} of region ${configuration.region} is missing. devid looked for it ${looked}`,
    `Create a key in the service's dashboard, and set it in ${there}.`,
    ...(configuration.originOf(option)?.advice ?? []),
  ].join("\n");
}

function checkedUrl(given: string, from: string): string {
  const text = given.trim();
  const url = parseUrl(text);
  if (
    (url?.protocol !== "https:" && url?.protocol !== "http:") ||
    // The parser drops them.
    /[\s\p{Cc}]/u.test(text)
  )
    throw new ConfigurationError(
      `"${text}" (${from}) is not an http or https address.`,
    );
  if (url.username || url.password || /[?#]/.test(text))
    throw new ConfigurationError(
      `The address in ${from} must hold neither credentials nor a query nor a fragment.`,
    );
  return text.replace(/\/+$/, "");
}

/** The address of all surfaces, below which each has a path of its own. */
function checkedOrigin(text: string, from: string): string {
  const url = checkedUrl(text, from);
  const { pathname, origin } = new URL(url);
  if (pathname === "/") return url;
  throw new ConfigurationError(
    `"${text}" (${from}) has the path ${pathname}, but the endpoint is the origin of all surfaces: write ${origin}. For the address of one surface, there are managementUrl, eventsUrl and drnUrl.`,
  );
}

/** The versions of the management API are dates. YAML makes a time of a date that is not in quotes. */
function checkedVersion(
  version: string = DEFAULT_API_VERSION,
  from: string,
): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(version)) return version;
  throw new ConfigurationError(
    `"${version}" (${from}) is not a version of the management API: write a date such as "${DEFAULT_API_VERSION}", in YAML in quotes.`,
  );
}

/** The region of this name. @throws ConfigurationError */
export function checkedRegion(given: unknown, from: string): Region {
  const region = REGIONS.find((known) => known === given);
  if (region) return region;
  throw new ConfigurationError(
    `"${String(given)}" (${from}) is not a region; use one of ${REGIONS.join(", ")}.`,
  );
}

/** A value that is true or false. @throws ConfigurationError */
export function checkedFlag(given: unknown, from: string): boolean {
  if (typeof given === "boolean") return given;
  throw new ConfigurationError(
    `"${String(given)}" (${from}) is neither true nor false.`,
  );
}

/** A rate in requests per second. `written` is its text in the place that it came from. @throws ConfigurationError */
export function checkedRate(
  name: "requestsPerSecond" | "eventsRequestsPerSecond",
  perSecond: unknown,
  from: string,
  written = String(perSecond),
): number {
  if (
    typeof perSecond === "number" &&
    Number.isFinite(perSecond) &&
    perSecond > 0
  )
    return perSecond;
  const or = name === "eventsRequestsPerSecond" ? ', or "off"' : "";
  throw new ConfigurationError(
    `"${written}" (${from}) is not a number of requests per second above 0${or}.`,
  );
}

/** What an option must be, for messages, and whether a value is that. */
export type Kind = readonly [what: string, isOf: (value: unknown) => boolean];

/** The kinds of options. */
export const KIND = {
  text: ["a text", (value) => typeof value === "string"],
  flag: ["true or false", (value) => typeof value === "boolean"],
  function: ["a function", (value) => typeof value === "function"],
  object: [
    "an object",
    (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value),
  ],
} satisfies Record<string, Kind>;

/** The kinds of the options; undefined for those that `configurationOf` checks by their values. */
export const CONNECTION_KINDS: Readonly<
  Record<keyof ConnectionOptions, Kind | undefined>
> = {
  managementKey: KIND.text,
  secretKey: KIND.text,
  region: KIND.text,
  endpoint: KIND.text,
  managementUrl: KIND.text,
  eventsUrl: KIND.text,
  drnUrl: KIND.text,
  allowInsecure: undefined,
  apiVersion: KIND.text,
  requestsPerSecond: undefined,
  eventsRequestsPerSecond: undefined,
  originOf: KIND.function,
};

/**
 * Checks the kinds of the options of a client. An option that is undefined counts as left
 * out.
 * @throws ConfigurationError that names each wrong option, without its value
 */
export function assertKinds(
  given: object,
  kinds: Readonly<Record<string, Kind | undefined>>,
): void {
  if (!KIND.object[1](given))
    throw new ConfigurationError(
      `createClient takes an object of options, but it was given ${kindOf(given)}.`,
    );
  const options = given as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(kinds).flatMap(([name, kind]) => {
    const value = options[name];
    return value === undefined || !kind || kind[1](value)
      ? []
      : [`${name} must be ${kind[0]}, but is ${kindOf(value)}`];
  });
  if (wrong.length > 0)
    throw new ConfigurationError(
      `createClient cannot use its options: ${wrong.join("; ")}`,
    );
}

/**
 * Checks that an object has only known members. A misspelt option would be ignored, and
 * a client without its address would call the public hosts.
 * @param owner for messages: `createClient`
 * @throws ConfigurationError that names the member and the known name that is most similar
 */
export function assertKnown(given: object, known: object, owner: string): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const meant = nearest(name, Object.keys(known));
    throw new ConfigurationError(
      `"${name}" is not an option of ${owner}; ` +
        (meant === undefined
          ? `it has ${Object.keys(known).join(", ")}.`
          : `did you mean ${meant}?`),
    );
  }
}
