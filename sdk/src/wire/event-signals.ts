import * as z from "zod/mini";
import {
  eventEnum,
  flag,
  listOf,
  number,
  object,
  choice,
  text,
} from "./event-members";

// The bounds are for the OpenAPI document only. They are not checked, because answers
// of the service are read loosely.

/** A moment in Unix milliseconds. */
export const Timestamp = z
  .number()
  .check(z.meta({ type: "integer", format: "int64" }));

/** A whole number. */
export const Count = z.number().check(z.meta({ type: "integer" }));

/** A probability or a score, 0 to 1. */
export const Ratio = z.number().check(z.meta({ minimum: 0, maximum: 1 }));

/** Values of each `..._confidence`; the confidence of an identification is a number instead. */
export const LEVELS = ["low", "medium", "high"] as const;

/** How sure the service is of a signal. */
export const Level = eventEnum(LEVELS);

/**
 * The estimated place of an address. Codes of countries and continents have two
 * letters.
 */
export const Geolocation = z.looseObject({
  accuracy_radius: z.nullish(Count.check(z.meta({ minimum: 0 }))),
  latitude: z.nullish(z.number().check(z.meta({ minimum: -90, maximum: 90 }))),
  longitude: z.nullish(
    z.number().check(z.meta({ minimum: -180, maximum: 180 })),
  ),
  postal_code: text,
  timezone: text,
  city_name: text,
  country_code: text,
  country_name: text,
  continent_code: text,
  continent_name: text,
  subdivisions: listOf(
    z.looseObject({
      iso_code: z.nullable(z.string()),
      name: z.nullable(z.string()),
    }),
  ),
});

/** What is known about one address. */
export const AddressInfo = z.looseObject({
  address: z.nullable(z.string()),
  geolocation: z.nullish(Geolocation),
  asn: text,
  asn_name: text,
  asn_network: text,
  asn_type: text,
  datacenter_result: flag,
  datacenter_name: text,
});

/** The addresses that the event came from. */
export const IpInfo = z.looseObject({
  v4: z.nullish(AddressInfo),
  v6: z.nullish(AddressInfo),
});

/** Kinds of proxy. */
export const PROXY_TYPES = ["residential", "data_center", "unknown"] as const;

/** Lists that may contain an address. */
export const IpBlocklist = z.looseObject({
  email_spam: flag,
  attack_source: flag,
  tor_node: flag,
});

/** How a VPN was recognised. */
export const VpnMethods = z.looseObject({
  timezone_mismatch: flag,
  public_vpn: flag,
  auxiliary_mobile: flag,
  os_mismatch: flag,
  relay: flag,
  ml_prediction: flag,
});

/** The members of an event about its network: address, proxy, VPN. */
export const networkSignals = {
  ip_blocklist: z.nullish(IpBlocklist),
  ip_info: z.nullish(IpInfo),
  proxy: flag,
  proxy_confidence: z.nullish(Level),
  proxy_details: object({
    proxy_type: z.nullable(eventEnum(PROXY_TYPES)),
    last_seen_at: z.nullish(Timestamp),
    provider: text,
  }),
  proxy_ml_score: z.nullish(Ratio),
  vpn: flag,
  vpn_confidence: z.nullish(Level),
  vpn_ml_score: z.nullish(Ratio),
  vpn_origin_timezone: text,
  vpn_origin_country: text,
  vpn_methods: z.nullish(VpnMethods),
};

/** Result of bot detection in an event. The filter of a search names the results differently. */
export const BOT_RESULTS = ["bad", "good", "not_detected"] as const;

/** Kinds of bot. */
export const BOT_CATEGORIES = [
  "advertising_and_marketing",
  "aggregator",
  "ai_agent",
  "ai_assistant",
  "ai_browser",
  "ai_crawler",
  "ai_search",
  "browser_automation",
  "ecommerce",
  "monitoring_and_analytics",
  "other",
  "scraping",
  "security",
  "search_engine_crawler",
  "search_engine_optimization",
  "unknown",
] as const;

/** Whether the identity that a bot claims is proven. */
export const BOT_IDENTITIES = [
  "verified",
  "signed",
  "spoofed",
  "unknown",
] as const;

/** Which bot was found; absent if no bot was found. */
export const BotInfo = z.looseObject({
  category: z.nullable(eventEnum(BOT_CATEGORIES)),
  provider: z.nullable(z.string()),
  provider_url: text,
  name: z.nullable(z.string()),
  identity: z.nullable(eventEnum(BOT_IDENTITIES)),
  confidence: z.nullable(Level),
});

/** How often something was seen within the time before the event. */
export const VelocityCount = z.looseObject({
  "5_minutes": z.nullable(Count),
  "1_hour": z.nullable(Count),
  "24_hours": z.nullish(Count),
});

/** Counts for the visitor, the address and the linked ID. */
export const Velocity = z.looseObject({
  distinct_ip: z.nullish(VelocityCount),
  distinct_linked_id: z.nullish(VelocityCount),
  distinct_country: z.nullish(VelocityCount),
  events: z.nullish(VelocityCount),
  ip_events: z.nullish(VelocityCount),
  distinct_ip_by_linked_id: z.nullish(VelocityCount),
  distinct_visitor_id_by_linked_id: z.nullish(VelocityCount),
});

/** Fields of the same type. */
const fields =
  <S>(schema: S) =>
  <const N extends string>(names: readonly N[]) =>
    Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;

const numbers = fields(number);
const texts = fields(text);

const graphics = {
  canvas: object({ winding: flag, geometry: text, text }),
  webgl_extensions: object({
    ...texts([
      "context_attributes",
      "parameters",
      "shader_precisions",
      "extensions",
      "extension_parameters",
    ]),
    unsupported_extensions: listOf(z.string()),
  }),
  webgl_basics: object(
    texts([
      "version",
      "vendor",
      "vendor_unmasked",
      "renderer",
      "renderer_unmasked",
      "shading_language_version",
    ]),
  ),
  screen_resolution: z.nullish(
    z.array(z.nullable(z.number())).check(z.describe("Width and height.")),
  ),
  color_depth: z.nullish(Count),
};

const writing = {
  font_preferences: object(
    numbers(["default", "serif", "sans", "mono", "apple", "min", "system"]),
  ),
  emoji: object({
    font: text,
    ...numbers(["width", "height", "top", "bottom", "left", "right", "x", "y"]),
  }),
  fonts: listOf(z.string()),
  font_hash: text,
  languages: listOf(z.array(z.nullable(z.string()))),
  date_time_locale: text,
  timezone: text,
  timezone_offset: text,
  keyboard_layout_hash: text,
  keyboard_layout_name: text,
};

const machine = {
  device_memory: z.nullish(Count.check(z.meta({ minimum: 0 }))),
  hardware_concurrency: z.nullish(Count),
  architecture: z.nullish(Count),
  oscpu: text,
  platform: text,
  vendor: text,
  device_model: text,
  device_manufacturer: text,
  battery_level: z.nullish(
    z.number().check(z.meta({ minimum: 0, maximum: 100 })),
  ),
  battery_charging: flag,
  battery_low_power_mode: flag,
  touch_support: object({
    touch_event: flag,
    touch_start: flag,
    max_touch_points: z.nullish(Count),
  }),
};

const browser = {
  cookies_enabled: flag,
  session_storage: flag,
  local_storage: flag,
  indexed_db: flag,
  audio: number,
  math: text,
  plugins: listOf(
    z.looseObject({
      name: z.nullable(z.string()),
      description: text,
      mimeTypes: listOf(
        z.looseObject(texts(["type", "suffixes", "description"])),
      ),
    }),
  ),
};

/** The raw values that the agent measured. Signals are derived from them. */
export const RawDeviceAttributes = z.looseObject({
  ...graphics,
  ...writing,
  ...machine,
  ...browser,
});

/** How rare a device is, as a range of percentiles. */
export const RARE_DEVICE_BUCKETS = [
  "<p95",
  "p95-p99",
  "p99-p99.5",
  "p99.5-p99.9",
  "p99.9+",
  "not_seen",
] as const;

/** The members of an event about its device, its browser and its visitor. */
export const deviceSignals = {
  active_call: flag,
  bot: choice(BOT_RESULTS),
  bot_type: text,
  bot_info: z.nullish(BotInfo),
  cloned_app: flag,
  developer_tools: flag,
  emulator: flag,
  factory_reset_timestamp: z.nullish(
    Timestamp.check(z.describe("0: no reset found.")),
  ),
  frida: flag,
  high_activity_device: flag,
  incognito: flag,
  jailbroken: flag,
  labels: listOf(
    z.looseObject({
      label: z.nullable(z.string()),
      prediction: flag,
      ml_score: z.nullish(Ratio),
    }),
  ),
  location_spoofing: flag,
  mitm_attack: flag,
  privacy_settings: flag,
  rare_device: flag,
  rare_device_percentile_bucket: choice(RARE_DEVICE_BUCKETS),
  raw_device_attributes: z.nullish(RawDeviceAttributes),
  root_apps: flag,
  simulator: flag,
  suspect_score: z.nullish(
    Count.check(z.describe("A weighted sum of signals.")),
  ),
  tampering: flag,
  tampering_confidence: z.nullish(Level),
  tampering_ml_score: z.nullish(Ratio),
  tampering_details: object({
    anomaly_score: z.nullish(Ratio),
    anti_detect_browser: flag,
  }),
  velocity: z.nullish(Velocity),
  virtual_machine: flag,
  virtual_machine_ml_score: z.nullish(Ratio),
};
