import type { Event } from "@devid/sdk";
import type {
  EventRecord,
  LegacyEvent,
  LegacyProduct,
} from "@devid/sdk/wire/events";
import type { z } from "zod";

/** No count in the two intervals that version 3 requires. */
const NO_COUNTS = { intervals: { "5m": 0, "1h": 0 } };

/**
 * What version 3 requires and an event of version 4 may lack, each with its
 * empty or default value (docs/assumptions.md, A64). The vendor's clients for
 * version 3 fail where one is missing.
 */
const DEFAULTS = {
  visit: {
    incognito: false,
    tag: {},
    url: "",
    ip: "",
    confidence: { score: 0 },
    visitorFound: false,
    firstSeenAt: { global: null, subscription: null },
    lastSeenAt: { global: null, subscription: null },
    browserDetails: {
      browserName: "",
      browserMajorVersion: "",
      browserFullVersion: "",
      os: "",
      osVersion: "",
      device: "",
      userAgent: "",
    },
  },
  identification: { visitorId: "", replayed: false },
  botd: { url: "", ip: "", userAgent: "" },
  blocklist: { details: { emailSpam: false, attackSource: false } },
  vpn: {
    confidence: "low",
    originTimezone: "",
    mlScore: 0,
    methods: {
      timezoneMismatch: false,
      publicVPN: false,
      auxiliaryMobile: false,
      osMismatch: false,
      relay: false,
    },
  },
  proxy: { confidence: "low", mlScore: 0 },
  tampering: {
    anomalyScore: 0,
    antiDetectBrowser: false,
    confidence: "low",
    mlScore: 0,
  },
  virtualMachine: { mlScore: 0 },
  address: { geolocation: {} },
  asn: { name: "", network: "" },
  velocity: {
    distinctIp: NO_COUNTS,
    distinctLinkedId: NO_COUNTS,
    distinctCountry: NO_COUNTS,
    events: NO_COUNTS,
    ipEvents: NO_COUNTS,
    distinctIpByLinkedId: NO_COUNTS,
    distinctVisitorIdByLinkedId: NO_COUNTS,
  },
};

/** The data with a default for each member that is missing or null, at every level. */
function filled<Data extends object>(data: Data, defaults: object): Data {
  const given = { ...data } as Record<string, unknown>;
  for (const [name, value] of Object.entries(defaults)) {
    const member = given[name] ?? undefined;
    given[name] =
      member === undefined
        ? (value as unknown)
        : isObject(member) && isObject(value)
          ? filled(member, value)
          : member;
  }
  // A default has the type of the member that it stands for.
  return given as Data;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A member that the event record declares. */
type Member = keyof typeof EventRecord.shape;

/**
 * Makes the `data` of a product from an event; undefined where the event lacks
 * the signal.
 */
type Translation = (event: Event) => object | undefined;

/** Translates a signal into a product that holds its value as `result`. */
const result =
  (name: Member): Translation =>
  ({ [name]: result }) =>
    (result ?? undefined) === undefined ? undefined : { result };

/** Translates a signal into a product with the same members in camelCase. */
const renamed =
  (name: Member): Translation =>
  ({ [name]: signal }) =>
    camelDeep(signal ?? undefined) as object | undefined;

/**
 * How each product of version 3 is made from an event (docs/assumptions.md,
 * A64).
 */
const PRODUCTS: Readonly<Record<LegacyProduct, Translation>> = {
  identification: legacyIdentification,
  botd: botOf,
  rootApps: result("root_apps"),
  emulator: result("emulator"),
  ipInfo: addressesOf,
  ipBlocklist: blocklistOf,
  tor: ({ ip_blocklist: list }) =>
    (list?.tor_node ?? undefined) === undefined
      ? undefined
      : { result: list?.tor_node },
  vpn: vpnOf,
  proxy: proxyOf,
  incognito: result("incognito"),
  tampering: tamperingOf,
  clonedApp: result("cloned_app"),
  factoryReset: ({ factory_reset_timestamp: timestamp }) =>
    (timestamp ?? undefined) === undefined
      ? undefined
      : { time: isoTime(timestamp), timestamp },
  jailbroken: result("jailbroken"),
  frida: result("frida"),
  privacySettings: result("privacy_settings"),
  virtualMachine: ({ virtual_machine: result, virtual_machine_ml_score }) =>
    (result ?? undefined) === undefined
      ? undefined
      : filled(
          { result, mlScore: virtual_machine_ml_score },
          DEFAULTS.virtualMachine,
        ),
  rawDeviceAttributes: rawAttributesOf,
  highActivity: result("high_activity_device"),
  locationSpoofing: result("location_spoofing"),
  velocity: velocityOf,
  developerTools: result("developer_tools"),
  mitmAttack: result("mitm_attack"),
  proximity: renamed("proximity"),
  suspectScore: result("suspect_score"),
  remoteControl: () => undefined,
  rareDevice: ({ rare_device, rare_device_percentile_bucket }) =>
    (rare_device ?? undefined) === undefined
      ? undefined
      : {
          result: rare_device,
          percentileBucket: rare_device_percentile_bucket,
        },
  labels: renamed("labels"),
};

/**
 * An event in the form of version 3 (docs/contract.md, "Legacy event").
 * Products whose signals the event lacks are left out.
 */
export function legacyEvent(event: Event): z.input<typeof LegacyEvent> {
  const products = Object.entries(PRODUCTS).flatMap(([name, translate]) => {
    const data = translate(event);
    return data === undefined ? [] : [[name, { data }] as const];
  });
  return { products: Object.fromEntries(products) };
}

/**
 * An event as one visit in the flat form of `GET /visitors` (docs/contract.md,
 * "Legacy event").
 */
export function legacyVisit(event: Event) {
  const { identification, browser_details: browser, timestamp } = event;
  const visit = {
    requestId: event.event_id,
    incognito: event.incognito,
    linkedId: event.linked_id,
    tag: event.tags,
    time: isoTime(timestamp),
    timestamp,
    url: event.url,
    ip: event.ip_address,
    ipLocation: locationOf(event) as Record<string, unknown> | undefined,
    browserDetails: {
      ...(camelDeep(browser ?? {}) as Record<string, unknown>),
      userAgent: event.user_agent,
    },
    confidence: identification?.confidence,
    visitorFound: identification?.visitor_found,
    firstSeenAt: seenAt(identification?.first_seen_at),
    lastSeenAt: seenAt(identification?.last_seen_at),
  };
  return filled(visit, DEFAULTS.visit);
}

/** `products.identification.data` of version 3. */
export function legacyIdentification(event: Event) {
  const data = {
    visitorId: event.identification?.visitor_id,
    ...legacyVisit(event),
    suspect: event.suspect,
    sdk: camelDeep(event.sdk) as Record<string, unknown> | undefined,
    replayed: event.replayed,
  };
  return filled(data, DEFAULTS.identification);
}

/** The time of the subscription alone: version 4 has no global one. */
function seenAt(timeMs: number | null | undefined) {
  const subscription = isoTime(timeMs);
  return subscription === undefined
    ? undefined
    : { global: null, subscription };
}

/** Results of bot detection that version 3 spells differently. */
const BOT_RESULTS: Readonly<Record<string, string>> = {
  not_detected: "notDetected",
};

/** `botd.data` of version 3. */
export function botOf(event: Event) {
  const { bot, bot_type: type } = event;
  if (!bot) return undefined;
  const data = {
    bot: { result: BOT_RESULTS[bot] ?? bot, type },
    linkedId: event.linked_id,
    url: event.url,
    ip: event.ip_address,
    time: isoTime(event.timestamp),
    userAgent: event.user_agent,
    requestId: event.event_id,
  };
  return filled(data, DEFAULTS.botd);
}

/**
 * `ipBlocklist.data` of version 3. Its result is made from the details, for
 * version 4 has none.
 */
function blocklistOf({ ip_blocklist: list }: Event) {
  const { email_spam: emailSpam, attack_source: attackSource } = list ?? {};
  if ((emailSpam ?? attackSource ?? undefined) === undefined) return undefined;
  const data = {
    result: emailSpam === true || attackSource === true,
    details: { emailSpam, attackSource },
  };
  return filled(data, DEFAULTS.blocklist);
}

/** `vpn.data` of version 3. */
function vpnOf({ vpn, vpn_methods: methods, ...event }: Event) {
  if ((vpn ?? undefined) === undefined) return undefined;
  const data = {
    result: vpn,
    confidence: event.vpn_confidence,
    mlScore: event.vpn_ml_score,
    originTimezone: event.vpn_origin_timezone,
    originCountry: event.vpn_origin_country,
    methods: methods && {
      timezoneMismatch: methods.timezone_mismatch,
      publicVPN: methods.public_vpn,
      auxiliaryMobile: methods.auxiliary_mobile,
      osMismatch: methods.os_mismatch,
      relay: methods.relay,
    },
  };
  return filled(data, DEFAULTS.vpn);
}

/** `proxy.data` of version 3. */
function proxyOf({ proxy, proxy_details: details, ...event }: Event) {
  if ((proxy ?? undefined) === undefined) return undefined;
  const data = {
    result: proxy,
    confidence: event.proxy_confidence,
    mlScore: event.proxy_ml_score,
    details: details && {
      proxyType: details.proxy_type,
      lastSeenAt: isoTime(details.last_seen_at),
    },
  };
  return filled(data, DEFAULTS.proxy);
}

/** `tampering.data` of version 3. */
function tamperingOf({ tampering, tampering_details, ...event }: Event) {
  if ((tampering ?? undefined) === undefined) return undefined;
  const data = {
    result: tampering,
    anomalyScore: tampering_details?.anomaly_score,
    antiDetectBrowser: tampering_details?.anti_detect_browser,
    confidence: event.tampering_confidence,
    mlScore: event.tampering_ml_score,
  };
  return filled(data, DEFAULTS.tampering);
}

const INTERVALS: Readonly<Record<string, string>> = {
  "5_minutes": "5m",
  "1_hour": "1h",
  "24_hours": "24h",
};

/** `velocity.data` of version 3: the counts of version 4 under other names. */
function velocityOf({ velocity }: Event) {
  if (!velocity) return undefined;
  const data = Object.fromEntries(
    Object.entries(velocity).map(([name, counts]) => [
      camelName(name),
      { intervals: intervalsOf(counts) },
    ]),
  );
  return filled(data, DEFAULTS.velocity);
}

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

/** `ipInfo.data` of version 3; undefined where the event has no such signal. */
function addressesOf({ ip_info: info }: Event): object | undefined {
  if (!info) return undefined;
  return {
    v4: info.v4 && addressOf(info.v4),
    v6: info.v6 && addressOf(info.v6),
  };
}

/**
 * `identification.data.ipLocation` of version 3: where the event's own address
 * is.
 */
function locationOf({ ip_address, ip_info }: Event): object | undefined {
  const known = [ip_info?.v4, ip_info?.v6];
  const own = known.find((info) => info && info.address === ip_address);
  return own?.geolocation ? placeOf(own.geolocation) : undefined;
}

function addressOf(info: AddressInfo): object {
  const { address, geolocation, asn, datacenter_result: isDatacenter } = info;
  const number = asn && {
    asn,
    name: info.asn_name,
    network: info.asn_network,
    type: info.asn_type,
  };
  const data = {
    address,
    geolocation: geolocation && placeOf(geolocation),
    asn: number && filled(number, DEFAULTS.asn),
    datacenter:
      (isDatacenter ?? undefined) === undefined
        ? undefined
        : { result: isDatacenter, name: info.datacenter_name ?? "" },
  };
  return filled(data, DEFAULTS.address);
}

function placeOf(place: Geolocation): object {
  const {
    city_name: city,
    country_code: country,
    continent_code: continent,
  } = place;
  return {
    accuracyRadius: place.accuracy_radius,
    latitude: place.latitude,
    longitude: place.longitude,
    postalCode: place.postal_code,
    timezone: place.timezone,
    city: (city ?? undefined) === undefined ? undefined : { name: city },
    country:
      (country ?? undefined) === undefined
        ? undefined
        : { code: country, name: place.country_name },
    continent:
      (continent ?? undefined) === undefined
        ? undefined
        : { code: continent, name: place.continent_name },
    subdivisions: place.subdivisions?.map((part) => ({
      isoCode: part?.iso_code,
      name: part?.name,
    })),
  };
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
      OLD_NAMES[name] ?? camelName(name),
      { value: name === "canvas" ? capitalised(value) : camelDeep(value) },
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

/**
 * The value with the names of all its members, at every level, in camelCase.
 */
function camelDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      camelName(name),
      camelDeep(member),
    ]),
  );
}

/** The name in camelCase: `precisionRadius` for `precision_radius`. */
function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

/**
 * The ISO 8601 form of Unix milliseconds; undefined without a time, and for one
 * beyond the range of dates.
 */
function isoTime(timeMs: number | null | undefined): string | undefined {
  const time = new Date(timeMs ?? NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
