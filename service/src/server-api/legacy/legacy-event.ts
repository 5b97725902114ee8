import type { Event } from "@devid/sdk";
import type {
  EventRecord,
  LegacyEvent,
  LegacyProduct,
} from "@devid/sdk/wire/events";
import type { z } from "zod";
import { filled, LEGACY_DEFAULTS } from "./legacy-defaults";

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
 * event lacks the signal.
 */
type Translation = (event: Event) => object | undefined;

/** Translates a signal into a product that holds its value as `result`. */
const result =
  (name: Member): Translation =>
  ({ [name]: result }) =>
    result === undefined ? undefined : { result };

/**
 * How each product of version 3 is made from an event (docs/assumptions.md,
 * A64).
 */
const PRODUCTS: Readonly<Record<LegacyProduct, Translation>> = {
  identification: identificationOf,
  botd: botOf,
  rootApps: result("root_apps"),
  emulator: result("emulator"),
  ipInfo: addressesOf,
  ipBlocklist: blocklistOf,
  tor: ({ ip_blocklist: list }) =>
    list?.tor_node === undefined ? undefined : { result: list.tor_node },
  vpn: vpnOf,
  proxy: proxyOf,
  incognito: result("incognito"),
  tampering: tamperingOf,
  clonedApp: result("cloned_app"),
  factoryReset: ({ factory_reset_timestamp: timestamp }) => {
    const time = isoTime(timestamp);
    return time === undefined ? undefined : { time, timestamp };
  },
  jailbroken: result("jailbroken"),
  frida: result("frida"),
  privacySettings: result("privacy_settings"),
  virtualMachine: ({ virtual_machine: result, ...event }) =>
    result === undefined
      ? undefined
      : filled(
          { result, mlScore: event.virtual_machine_ml_score },
          LEGACY_DEFAULTS.virtualMachine,
        ),
  rawDeviceAttributes: rawAttributesOf,
  highActivity: result("high_activity_device"),
  locationSpoofing: result("location_spoofing"),
  velocity: velocityOf,
  developerTools: result("developer_tools"),
  mitmAttack: result("mitm_attack"),
  proximity: ({ proximity }) =>
    proximity
      ? filled(camelDeep(proximity) as object, LEGACY_DEFAULTS.proximity)
      : undefined,
  suspectScore: result("suspect_score"),
  remoteControl: () => undefined,
  rareDevice: ({ rare_device: result, ...event }) =>
    result === undefined
      ? undefined
      : { result, percentileBucket: event.rare_device_percentile_bucket },
  labels: ({ labels }) =>
    labels?.map((label) =>
      filled(camelDeep(label) as object, LEGACY_DEFAULTS.label),
    ),
};

/**
 * Products that every event has, each with its member in version 4. Version 3 has the
 * products of mobile devices in all events (docs/contract.md, "Legacy event").
 */
const ALWAYS = {
  rootApps: "root_apps",
  emulator: "emulator",
  clonedApp: "cloned_app",
  factoryReset: "factory_reset_timestamp",
  jailbroken: "jailbroken",
  frida: "frida",
  locationSpoofing: "location_spoofing",
  mitmAttack: "mitm_attack",
  remoteControl: undefined,
} as const satisfies Partial<Record<LegacyProduct, Member | undefined>>;

/**
 * An event in the form of version 3 (docs/contract.md, "Legacy event"). `hidden`
 * are the members of signals that the workspace has not activated; their
 * products are left out. So are those of other signals that the event lacks.
 */
export function legacyEvent(event: Event, hidden: ReadonlySet<string>) {
  const present = withoutNulls(event);
  const products = Object.entries(PRODUCTS).flatMap(([name, translate]) => {
    const data = translate(present) ?? defaultOf(name as LegacyProduct, hidden);
    return data === undefined ? [] : [[name, { data }] as const];
  });
  return { products: Object.fromEntries(products) } satisfies z.input<
    typeof LegacyEvent
  >;
}

/**
 * The data of a product whose signal an event lacks; undefined where the product
 * is to be left out. A workspace that has not activated every signal does not
 * have those that version 4 lacks.
 */
function defaultOf(
  name: LegacyProduct,
  hidden: ReadonlySet<string>,
): object | undefined {
  if (!isAlwaysThere(name)) return undefined;
  const { [name]: member } = ALWAYS;
  const isHidden = member === undefined ? hidden.size > 0 : hidden.has(member);
  return isHidden ? undefined : LEGACY_DEFAULTS[name];
}

function isAlwaysThere(name: LegacyProduct): name is keyof typeof ALWAYS {
  return name in ALWAYS;
}

/**
 * An event as one visit in the flat form of `GET /visitors` (docs/contract.md,
 * "Legacy event").
 */
export function legacyVisit(event: Event) {
  return visitOf(withoutNulls(event));
}

function visitOf(event: Event) {
  const { identification, browser_details: browser, timestamp } = event;
  const confidence = identification?.confidence;
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
    confidence: confidence && {
      score: confidence.score,
      revision: confidence.version,
      comment: confidence.comment,
    },
    visitorFound: identification?.visitor_found,
    firstSeenAt: seenAt(identification?.first_seen_at),
    lastSeenAt: seenAt(identification?.last_seen_at),
  };
  return filled(visit, LEGACY_DEFAULTS.visit);
}

/** `products.identification.data` of version 3. */
function identificationOf(event: Event) {
  const data = {
    visitorId: event.identification?.visitor_id,
    ...visitOf(event),
    suspect: event.suspect,
    sdk: camelDeep(event.sdk) as Record<string, unknown> | undefined,
    replayed: event.replayed,
  };
  return filled(data, LEGACY_DEFAULTS.identification);
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
function botOf(event: Event) {
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
  return filled(data, LEGACY_DEFAULTS.botd);
}

/**
 * `ipBlocklist.data` of version 3. Its result is made from the details, for
 * version 4 has none.
 */
function blocklistOf({ ip_blocklist: list }: Event) {
  const { email_spam: emailSpam, attack_source: attackSource } = list ?? {};
  if ((emailSpam ?? attackSource) === undefined) return undefined;
  const data = {
    result: emailSpam === true || attackSource === true,
    details: { emailSpam, attackSource },
  };
  return filled(data, LEGACY_DEFAULTS.blocklist);
}

/** `vpn.data` of version 3. */
function vpnOf({ vpn, vpn_methods: methods, ...event }: Event) {
  if (vpn === undefined) return undefined;
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
  return filled(data, LEGACY_DEFAULTS.vpn);
}

/**
 * How sure version 3 is that there is no proxy, or no tampering, where it has
 * found none (docs/contract.md, "Legacy event").
 */
const SURE = "high";

/** `proxy.data` of version 3. */
function proxyOf({ proxy, proxy_details: details, ...event }: Event) {
  if (proxy === undefined) return undefined;
  const data = {
    result: proxy,
    confidence: event.proxy_confidence ?? (proxy ? undefined : SURE),
    mlScore: event.proxy_ml_score,
    details:
      details &&
      filled(
        {
          proxyType: details.proxy_type,
          lastSeenAt: isoTime(details.last_seen_at),
        },
        LEGACY_DEFAULTS.proxyDetails,
      ),
  };
  return filled(data, LEGACY_DEFAULTS.proxy);
}

/** `tampering.data` of version 3. */
function tamperingOf({ tampering, tampering_details, ...event }: Event) {
  if (tampering === undefined) return undefined;
  const data = {
    result: tampering,
    anomalyScore: tampering_details?.anomaly_score,
    antiDetectBrowser: tampering_details?.anti_detect_browser,
    confidence: event.tampering_confidence ?? (tampering ? undefined : SURE),
    mlScore: event.tampering_ml_score,
  };
  return filled(data, LEGACY_DEFAULTS.tampering);
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
  return filled(data, LEGACY_DEFAULTS.velocity);
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
  const datacenter = { result: isDatacenter, name: info.datacenter_name };
  const data = {
    address,
    geolocation: geolocation && placeOf(geolocation),
    asn: number && filled(number, LEGACY_DEFAULTS.asn),
    datacenter:
      isDatacenter === undefined
        ? undefined
        : filled(datacenter, LEGACY_DEFAULTS.datacenter),
  };
  return filled(data, LEGACY_DEFAULTS.address);
}

function placeOf(place: Geolocation): object {
  const {
    city_name,
    country_code,
    country_name,
    continent_code,
    continent_name,
  } = place;
  return {
    accuracyRadius: place.accuracy_radius,
    latitude: place.latitude,
    longitude: place.longitude,
    postalCode: place.postal_code,
    timezone: place.timezone,
    city: anyOf({ name: city_name }, LEGACY_DEFAULTS.city),
    country: anyOf(
      { code: country_code, name: country_name },
      LEGACY_DEFAULTS.country,
    ),
    continent: anyOf(
      { code: continent_code, name: continent_name },
      LEGACY_DEFAULTS.continent,
    ),
    subdivisions: place.subdivisions?.map((part) =>
      filled(
        { isoCode: part?.iso_code, name: part?.name },
        LEGACY_DEFAULTS.subdivision,
      ),
    ),
  };
}

/** The data with its defaults; undefined where none of its members is there. */
function anyOf(data: object, defaults: object): object | undefined {
  const isKnown = Object.values(data).some((member) => member !== undefined);
  return isKnown ? filled(data, defaults) : undefined;
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
