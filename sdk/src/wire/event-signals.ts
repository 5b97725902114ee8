import * as z from "zod/mini";

// The schemas of an event use zod/mini. A webhook receiver that is bundled for the edge
// then has 12 kB and not 33 kB. Other schemas need methods that only zod has.

// The bounds are for the OpenAPI document only. They are not checked, because answers
// of the service are read loosely.

/**
 * An enumeration in an event. Like `openEnum`, it keeps a value that the service adds
 * later.
 */
export function eventEnum<const V extends readonly [string, ...string[]]>(
  values: V,
) {
  const text: unknown = z.string();
  const other = text as z.ZodMiniType<string & Record<never, never>>;
  return z.union([z.enum(values), other], "must be a text");
}

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
  postal_code: z.nullish(z.string()),
  timezone: z.nullish(z.string()),
  city_name: z.nullish(z.string()),
  country_code: z.nullish(z.string()),
  country_name: z.nullish(z.string()),
  continent_code: z.nullish(z.string()),
  continent_name: z.nullish(z.string()),
  subdivisions: z.nullish(
    z.array(
      z.nullable(
        z.looseObject({
          iso_code: z.nullable(z.string()),
          name: z.nullable(z.string()),
        }),
      ),
    ),
  ),
});

/** What is known about one address. */
export const AddressInfo = z.looseObject({
  address: z.nullable(z.string()),
  geolocation: z.nullish(Geolocation),
  asn: z.nullish(z.string()),
  asn_name: z.nullish(z.string()),
  asn_network: z.nullish(z.string()),
  asn_type: z.nullish(z.string()),
  datacenter_result: z.nullish(z.boolean()),
  datacenter_name: z.nullish(z.string()),
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
  email_spam: z.nullish(z.boolean()),
  attack_source: z.nullish(z.boolean()),
  tor_node: z.nullish(z.boolean()),
});

/** How a VPN was recognised. */
export const VpnMethods = z.looseObject({
  timezone_mismatch: z.nullish(z.boolean()),
  public_vpn: z.nullish(z.boolean()),
  auxiliary_mobile: z.nullish(z.boolean()),
  os_mismatch: z.nullish(z.boolean()),
  relay: z.nullish(z.boolean()),
  ml_prediction: z.nullish(z.boolean()),
});

/** The members of an event about its network: address, proxy, VPN. */
export const networkSignals = {
  ip_blocklist: z.nullish(IpBlocklist),
  ip_info: z.nullish(IpInfo),
  proxy: z.nullish(z.boolean()),
  proxy_confidence: z.nullish(Level),
  proxy_details: z.nullish(
    z.looseObject({
      proxy_type: z.nullable(eventEnum(PROXY_TYPES)),
      last_seen_at: z.nullish(Timestamp),
      provider: z.nullish(z.string()),
    }),
  ),
  proxy_ml_score: z.nullish(Ratio),
  vpn: z.nullish(z.boolean()),
  vpn_confidence: z.nullish(Level),
  vpn_ml_score: z.nullish(Ratio),
  vpn_origin_timezone: z.nullish(z.string()),
  vpn_origin_country: z.nullish(z.string()),
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
  provider_url: z.nullish(z.string()),
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

const numbers = fields(z.nullish(z.number()));
const texts = fields(z.nullish(z.string()));

const graphics = {
  canvas: z.nullish(
    z.looseObject({
      winding: z.nullish(z.boolean()),
      geometry: z.nullish(z.string()),
      text: z.nullish(z.string()),
    }),
  ),
  webgl_extensions: z.nullish(
    z.looseObject({
      ...texts([
        "context_attributes",
        "parameters",
        "shader_precisions",
        "extensions",
        "extension_parameters",
      ]),
      unsupported_extensions: z.nullish(z.array(z.nullable(z.string()))),
    }),
  ),
  webgl_basics: z.nullish(
    z.looseObject(
      texts([
        "version",
        "vendor",
        "vendor_unmasked",
        "renderer",
        "renderer_unmasked",
        "shading_language_version",
      ]),
    ),
  ),
  screen_resolution: z.nullish(
    z.array(z.nullable(z.number())).check(z.describe("Width and height.")),
  ),
  color_depth: z.nullish(Count),
};

const writing = {
  font_preferences: z.nullish(
    z.looseObject(
      numbers(["default", "serif", "sans", "mono", "apple", "min", "system"]),
    ),
  ),
  emoji: z.nullish(
    z.looseObject({
      font: z.nullish(z.string()),
      ...numbers([
        "width",
        "height",
        "top",
        "bottom",
        "left",
        "right",
        "x",
        "y",
      ]),
    }),
  ),
  fonts: z.nullish(z.array(z.nullable(z.string()))),
  font_hash: z.nullish(z.string()),
  languages: z.nullish(z.array(z.nullable(z.array(z.nullable(z.string()))))),
  date_time_locale: z.nullish(z.string()),
  timezone: z.nullish(z.string()),
  timezone_offset: z.nullish(z.string()),
  keyboard_layout_hash: z.nullish(z.string()),
  keyboard_layout_name: z.nullish(z.string()),
};

const machine = {
  device_memory: z.nullish(Count.check(z.meta({ minimum: 0 }))),
  hardware_concurrency: z.nullish(Count),
  architecture: z.nullish(Count),
  oscpu: z.nullish(z.string()),
  platform: z.nullish(z.string()),
  vendor: z.nullish(z.string()),
  device_model: z.nullish(z.string()),
  device_manufacturer: z.nullish(z.string()),
  battery_level: z.nullish(
    z.number().check(z.meta({ minimum: 0, maximum: 100 })),
  ),
  battery_charging: z.nullish(z.boolean()),
  battery_low_power_mode: z.nullish(z.boolean()),
  touch_support: z.nullish(
    z.looseObject({
      touch_event: z.nullish(z.boolean()),
      touch_start: z.nullish(z.boolean()),
      max_touch_points: z.nullish(Count),
    }),
  ),
};

const browser = {
  cookies_enabled: z.nullish(z.boolean()),
  session_storage: z.nullish(z.boolean()),
  local_storage: z.nullish(z.boolean()),
  indexed_db: z.nullish(z.boolean()),
  audio: z.nullish(z.number()),
  math: z.nullish(z.string()),
  plugins: z.nullish(
    z.array(
      z.nullable(
        z.looseObject({
          name: z.nullable(z.string()),
          description: z.nullish(z.string()),
          mimeTypes: z.nullish(
            z.array(
              z.nullable(
                z.looseObject(texts(["type", "suffixes", "description"])),
              ),
            ),
          ),
        }),
      ),
    ),
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
  active_call: z.nullish(z.boolean()),
  bot: z.nullish(eventEnum(BOT_RESULTS)),
  bot_type: z.nullish(z.string()),
  bot_info: z.nullish(BotInfo),
  cloned_app: z.nullish(z.boolean()),
  developer_tools: z.nullish(z.boolean()),
  emulator: z.nullish(z.boolean()),
  factory_reset_timestamp: z.nullish(
    Timestamp.check(z.describe("0: no reset found.")),
  ),
  frida: z.nullish(z.boolean()),
  high_activity_device: z.nullish(z.boolean()),
  incognito: z.nullish(z.boolean()),
  jailbroken: z.nullish(z.boolean()),
  labels: z.nullish(
    z.array(
      z.nullable(
        z.looseObject({
          label: z.nullable(z.string()),
          prediction: z.nullish(z.boolean()),
          ml_score: z.nullish(Ratio),
        }),
      ),
    ),
  ),
  location_spoofing: z.nullish(z.boolean()),
  mitm_attack: z.nullish(z.boolean()),
  privacy_settings: z.nullish(z.boolean()),
  rare_device: z.nullish(z.boolean()),
  rare_device_percentile_bucket: z.nullish(eventEnum(RARE_DEVICE_BUCKETS)),
  raw_device_attributes: z.nullish(RawDeviceAttributes),
  root_apps: z.nullish(z.boolean()),
  simulator: z.nullish(z.boolean()),
  suspect_score: z.nullish(
    Count.check(z.describe("A weighted sum of signals.")),
  ),
  tampering: z.nullish(z.boolean()),
  tampering_confidence: z.nullish(Level),
  tampering_ml_score: z.nullish(Ratio),
  tampering_details: z.nullish(
    z.looseObject({
      anomaly_score: z.nullish(Ratio),
      anti_detect_browser: z.nullish(z.boolean()),
    }),
  ),
  velocity: z.nullish(Velocity),
  virtual_machine: z.nullish(z.boolean()),
  virtual_machine_ml_score: z.nullish(Ratio),
};
