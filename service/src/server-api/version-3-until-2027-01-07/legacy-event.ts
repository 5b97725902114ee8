import type { Event } from "@devid/sdk";
import { camelPath } from "@devid/sdk/wire";
import { type EventRecord, Velocity } from "@devid/sdk/wire/events";

/** Members whose form in version 3 is not known; they may hold any JSON. */
const FREE: readonly string[] = ["tags", "raw_device_attributes"];

/**
 * The event without the members that are null, at every level: version 4 has
 * null where version 3 leaves a member out.
 */
function withoutNulls(event: Event): Event {
  // The event record lets every member be absent that it lets be null.
  return Object.fromEntries(
    Object.entries(event).flatMap(([name, value]) =>
      value === null
        ? []
        : [[name, FREE.includes(name) ? value : droppingNulls(value)]],
    ),
  ) as Event;
}

function droppingNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.filter((item) => item !== null).map(droppingNulls);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, droppingNulls(member)]],
    ),
  );
}

/** A member that the event record declares. */
type Member = keyof typeof EventRecord.shape;

/**
 * Makes the `data` of a product from an event without nulls; undefined where the
 * product is to be left out. `hidden` are the members of signals that the workspace has
 * not activated.
 */
type Translation = (
  event: Event,
  hidden: ReadonlySet<string>,
) => object | null | undefined;

/** A product that holds the value of a signal as `result`; undefined without a value. */
const product = (result: unknown, members: object = {}) =>
  result === undefined ? undefined : { result, ...members };

/** Translates a signal into a product that has nothing else. */
const result =
  (name: Member): Translation =>
  ({ [name]: result }) =>
    product(result);

/**
 * Translates a signal of mobile devices, which version 3 has in the events of all
 * devices (docs/contract.md, "Legacy event").
 */
const mobile =
  (name: Member): Translation =>
  ({ [name]: result = false }, hidden) =>
    hidden.has(name) ? undefined : { result };

/**
 * How sure version 3 is that there is no proxy, or no tampering, where it has
 * found none (docs/contract.md, "Legacy event").
 */
const SURE = "high";

/**
 * How each product of version 3 is made from an event. What version 3 requires and an
 * event may lack has an empty or default value, because the vendor's clients for version
 * 3 fail where a member is missing (docs/assumptions.md, A64).
 */
const PRODUCTS = {
  identification: (event) => ({
    visitorId: event.identification?.visitor_id ?? "",
    ...visitOf(event),
    suspect: event.suspect,
    sdk: { platform: "unknown", version: "", ...camelDeep(event.sdk) },
    replayed: event.replayed ?? false,
  }),
  botd: ({ bot, bot_type: type, ...event }) =>
    bot
      ? {
          bot: { result: bot === "not_detected" ? "notDetected" : bot, type },
          linkedId: event.linked_id,
          url: event.url ?? "",
          ip: event.ip_address ?? "",
          time: isoTime(event.timestamp),
          userAgent: event.user_agent ?? "",
          requestId: event.event_id,
        }
      : undefined,
  rootApps: mobile("root_apps"),
  emulator: mobile("emulator"),
  ipInfo: ({ ip_info: info }) =>
    info && {
      v4: info.v4 && addressOf(info.v4),
      v6: info.v6 && addressOf(info.v6),
    },
  // The result is made from the details, for version 4 has none.
  ipBlocklist: ({ ip_blocklist: list }) => {
    const { email_spam: emailSpam, attack_source: attackSource } = list ?? {};
    if ((emailSpam ?? attackSource) === undefined) return undefined;
    return {
      result: emailSpam === true || attackSource === true,
      details: {
        emailSpam: emailSpam ?? false,
        attackSource: attackSource ?? false,
      },
    };
  },
  tor: ({ ip_blocklist: list }) => product(list?.tor_node),
  vpn: ({ vpn: result, vpn_methods: methods, ...event }) =>
    product(result, {
      confidence: event.vpn_confidence ?? "low",
      mlScore: event.vpn_ml_score ?? 0,
      originTimezone: event.vpn_origin_timezone ?? "",
      originCountry: event.vpn_origin_country ?? "unknown",
      methods: {
        timezoneMismatch: methods?.timezone_mismatch ?? false,
        publicVPN: methods?.public_vpn ?? false,
        auxiliaryMobile: methods?.auxiliary_mobile ?? false,
        osMismatch: methods?.os_mismatch ?? false,
        relay: methods?.relay ?? false,
      },
    }),
  proxy: ({ proxy: result, proxy_details: details, ...event }) =>
    product(result, {
      confidence: event.proxy_confidence ?? (result ? "low" : SURE),
      mlScore: event.proxy_ml_score ?? 0,
      details: details && {
        proxyType: details.proxy_type ?? "unknown",
        lastSeenAt: isoTime(details.last_seen_at),
      },
    }),
  incognito: result("incognito"),
  tampering: ({ tampering: result, tampering_details: details, ...event }) =>
    product(result, {
      anomalyScore: details?.anomaly_score ?? 0,
      antiDetectBrowser: details?.anti_detect_browser ?? false,
      confidence: event.tampering_confidence ?? (result ? "low" : SURE),
      mlScore: event.tampering_ml_score ?? 0,
    }),
  clonedApp: mobile("cloned_app"),
  factoryReset: ({ factory_reset_timestamp: timestamp }, hidden) => {
    const time = isoTime(timestamp);
    if (time !== undefined) return { time, timestamp };
    return hidden.has("factory_reset_timestamp")
      ? undefined
      : { time: isoTime(0), timestamp: 0 };
  },
  jailbroken: mobile("jailbroken"),
  frida: mobile("frida"),
  privacySettings: result("privacy_settings"),
  virtualMachine: ({ virtual_machine: result, ...event }) =>
    product(result, { mlScore: event.virtual_machine_ml_score ?? 0 }),
  rawDeviceAttributes: rawAttributesOf,
  highActivity: result("high_activity_device"),
  locationSpoofing: mobile("location_spoofing"),
  velocity: ({ velocity }) =>
    velocity &&
    Object.fromEntries(
      Object.keys({ ...velocity, ...Velocity.shape }).map((name) => [
        camelPath(name),
        { intervals: { "5m": 0, "1h": 0, ...intervalsOf(velocity[name]) } },
      ]),
    ),
  developerTools: result("developer_tools"),
  mitmAttack: mobile("mitm_attack"),
  proximity: ({ proximity }) =>
    proximity && {
      id: "",
      precisionRadius: 22_500,
      confidence: 0,
      ...camelDeep(proximity),
    },
  suspectScore: result("suspect_score"),
  // Version 4 has no such signal. Only a workspace with every signal has this one.
  remoteControl: (_, hidden) =>
    hidden.size > 0 ? undefined : { result: false },
  rareDevice: ({ rare_device: result, ...event }) =>
    product(result, { percentileBucket: event.rare_device_percentile_bucket }),
  labels: ({ labels }) =>
    labels?.map((label) => ({ label: "", ...camelDeep(label) })),
} satisfies Readonly<Record<string, Translation>>;

/** Name of a documented product. */
export type LegacyProduct = keyof typeof PRODUCTS;

/**
 * Names of products (docs/contract.md, "Legacy event"). An event holds the products of
 * its workspace.
 */
export const LEGACY_PRODUCTS = Object.keys(PRODUCTS) as LegacyProduct[];

/**
 * An event in the form of version 3 (docs/contract.md, "Legacy event"). `hidden`
 * are the members of signals that the workspace has not activated; their
 * products are left out. So are those of other signals that the event lacks.
 */
export function legacyEvent(event: Event, hidden: ReadonlySet<string>) {
  const present = withoutNulls(event);
  const products = Object.entries<Translation>(PRODUCTS).flatMap(
    ([name, translate]) => {
      const data = translate(present, hidden);
      return data ? [[name, { data }] as const] : [];
    },
  );
  return { products: Object.fromEntries(products) };
}

/**
 * An event as one visit in the flat form of `GET /visitors` (docs/contract.md,
 * "Legacy event").
 */
export function legacyVisit(event: Event) {
  return visitOf(withoutNulls(event));
}

function visitOf(event: Event) {
  const { identification, timestamp } = event;
  const confidence = identification?.confidence;
  return {
    requestId: event.event_id,
    incognito: event.incognito ?? false,
    linkedId: event.linked_id,
    tag: event.tags ?? {},
    time: isoTime(timestamp),
    timestamp,
    url: event.url ?? "",
    ip: event.ip_address ?? "",
    ipLocation: locationOf(event),
    browserDetails: {
      browserName: "",
      browserMajorVersion: "",
      browserFullVersion: "",
      os: "",
      osVersion: "",
      device: "",
      ...camelDeep(event.browser_details),
      userAgent: event.user_agent ?? "",
    },
    confidence: {
      score: confidence?.score ?? 0,
      revision: confidence?.version,
      comment: confidence?.comment,
    },
    visitorFound: identification?.visitor_found ?? false,
    firstSeenAt: seenAt(identification?.first_seen_at),
    lastSeenAt: seenAt(identification?.last_seen_at),
  };
}

/** The time of the subscription alone: version 4 has no global one. */
function seenAt(timeMs: number | null | undefined) {
  return { global: null, subscription: isoTime(timeMs) ?? null };
}

const INTERVALS: Readonly<Record<string, string>> = {
  "5_minutes": "5m",
  "1_hour": "1h",
  "24_hours": "24h",
};

function intervalsOf(counts: unknown): object {
  return Object.fromEntries(
    Object.entries(counts ?? {}).map(([name, count]) => [
      INTERVALS[name] ?? name,
      count as unknown,
    ]),
  );
}

type AddressInfo = NonNullable<NonNullable<Event["ip_info"]>["v4"]>;
type Geolocation = NonNullable<AddressInfo["geolocation"]>;

/** Where the event's own address is. */
function locationOf({ ip_address, ip_info }: Event) {
  const known = [ip_info?.v4, ip_info?.v6];
  const own = known.find((info) => info && info.address === ip_address);
  return own?.geolocation ? placeOf(own.geolocation) : undefined;
}

function addressOf(info: AddressInfo): object {
  const { geolocation, asn, datacenter_result: isDatacenter } = info;
  return {
    address: info.address ?? "",
    geolocation: geolocation ? placeOf(geolocation) : {},
    asn:
      asn === undefined
        ? undefined
        : {
            asn,
            name: info.asn_name ?? "",
            network: info.asn_network ?? "",
            type: info.asn_type,
          },
    datacenter:
      isDatacenter === undefined
        ? undefined
        : { result: isDatacenter, name: info.datacenter_name ?? "" },
  };
}

function placeOf(place: Geolocation) {
  return {
    accuracyRadius: place.accuracy_radius,
    latitude: place.latitude,
    longitude: place.longitude,
    postalCode: place.postal_code,
    timezone: place.timezone,
    city: texts({ name: place.city_name }),
    country: texts({ code: place.country_code, name: place.country_name }),
    continent: texts({
      code: place.continent_code,
      name: place.continent_name,
    }),
    subdivisions: place.subdivisions?.map((part) => ({
      isoCode: part?.iso_code ?? "",
      name: part?.name ?? "",
    })),
  };
}

/** Texts, "" for a missing one; undefined where all of them are missing. */
function texts(
  members: Readonly<Record<string, string | null | undefined>>,
): object | undefined {
  const known = Object.entries(members);
  return known.every(([, text]) => text === undefined)
    ? undefined
    : Object.fromEntries(known.map(([name, text]) => [name, text ?? ""]));
}

/**
 * Attributes whose name in version 3 is not the camelCase form of the one in
 * version 4.
 */
const OLD_NAMES: Readonly<Record<string, string>> = {
  indexed_db: "indexedDB",
  oscpu: "osCpu",
  webgl_basics: "webGlBasics",
  webgl_extensions: "webGlExtensions",
};

/**
 * `rawDeviceAttributes.data` of version 3: each attribute in a member `value`.
 */
function rawAttributesOf({
  raw_device_attributes: attributes,
}: Event): object | undefined {
  if (!attributes) return undefined;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      OLD_NAMES[name] ?? camelPath(name),
      { value: name === "canvas" ? capitalised(value) : camelValue(value) },
    ]),
  );
}

/** Renames the members of `canvas`, which begin with a capital in version 3. */
function capitalised(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      member as unknown,
    ]),
  );
}

/** The object with the names of all its members, at every level, in camelCase. */
function camelDeep(
  object: object | null | undefined,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(object ?? {}).map(([name, member]) => [
      camelPath(name),
      camelValue(member),
    ]),
  );
}

function camelValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelValue);
  return typeof value === "object" && value !== null ? camelDeep(value) : value;
}

/**
 * The ISO 8601 form of Unix milliseconds; undefined without a time, and for one
 * beyond the range of dates.
 */
function isoTime(timeMs: number | null | undefined): string | undefined {
  const time = new Date(timeMs ?? NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
