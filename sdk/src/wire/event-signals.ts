import { z } from "zod";
import { openEnum } from "./open-enum";

// The bounds stand here for the OpenAPI document. Nothing checks them, because
// what the service answers is read loosely.

/** A moment in Unix milliseconds. */
export const Timestamp = z.number().meta({ type: "integer", format: "int64" });

/** A whole number. */
export const Count = z.number().meta({ type: "integer" });

/** A probability or a score, 0 to 1. */
export const Ratio = z.number().meta({ minimum: 0, maximum: 1 });

/** Values of each `..._confidence`; the confidence of an identification is a number instead. */
export const LEVELS = ["low", "medium", "high"] as const;

/** How sure the service is of a signal. */
export const Level = openEnum(LEVELS);

/** Where an address is thought to be. Codes of countries and continents have two letters. */
export const Geolocation = z.looseObject({
  accuracy_radius: Count.meta({ minimum: 0 }).nullish(),
  latitude: z.number().meta({ minimum: -90, maximum: 90 }).nullish(),
  longitude: z.number().meta({ minimum: -180, maximum: 180 }).nullish(),
  postal_code: z.string().nullish(),
  timezone: z.string().nullish(),
  city_name: z.string().nullish(),
  country_code: z.string().nullish(),
  country_name: z.string().nullish(),
  continent_code: z.string().nullish(),
  continent_name: z.string().nullish(),
  subdivisions: z
    .array(
      z
        .looseObject({
          iso_code: z.string().nullable(),
          name: z.string().nullable(),
        })
        .nullable(),
    )
    .nullish(),
});

/** What is known about one address. */
export const AddressInfo = z.looseObject({
  address: z.string().nullable(),
  geolocation: Geolocation.nullish(),
  asn: z.string().nullish(),
  asn_name: z.string().nullish(),
  asn_network: z.string().nullish(),
  asn_type: z.string().nullish(),
  datacenter_result: z.boolean().nullish(),
  datacenter_name: z.string().nullish(),
});

/** The addresses that the event came from. */
export const IpInfo = z.looseObject({
  v4: AddressInfo.nullish(),
  v6: AddressInfo.nullish(),
});

/** Kinds of proxy. */
export const PROXY_TYPES = ["residential", "data_center", "unknown"] as const;

/** Lists that an address may stand on. */
export const IpBlocklist = z.looseObject({
  email_spam: z.boolean().nullish(),
  attack_source: z.boolean().nullish(),
  tor_node: z.boolean().nullish(),
});

/** How a VPN was recognised. */
export const VpnMethods = z.looseObject({
  timezone_mismatch: z.boolean().nullish(),
  public_vpn: z.boolean().nullish(),
  auxiliary_mobile: z.boolean().nullish(),
  os_mismatch: z.boolean().nullish(),
  relay: z.boolean().nullish(),
  ml_prediction: z.boolean().nullish(),
});

/** The members of an event that tell of its network: address, proxy, VPN. */
export const networkSignals = {
  ip_blocklist: IpBlocklist.nullish(),
  ip_info: IpInfo.nullish(),
  proxy: z.boolean().nullish(),
  proxy_confidence: Level.nullish(),
  proxy_details: z
    .looseObject({
      proxy_type: openEnum(PROXY_TYPES).nullable(),
      last_seen_at: Timestamp.nullish(),
      provider: z.string().nullish(),
    })
    .nullish(),
  proxy_ml_score: Ratio.nullish(),
  vpn: z.boolean().nullish(),
  vpn_confidence: Level.nullish(),
  vpn_ml_score: Ratio.nullish(),
  vpn_origin_timezone: z.string().nullish(),
  vpn_origin_country: z.string().nullish(),
  vpn_methods: VpnMethods.nullish(),
};

/** Result of bot detection in an event. The filter of a search names the results differently. */
export const BOT_RESULTS = ["bad", "good", "not_detected"] as const;

/** What kind of bot it is. */
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

/** Whether it is proven that a bot is who it claims to be. */
export const BOT_IDENTITIES = [
  "verified",
  "signed",
  "spoofed",
  "unknown",
] as const;

/** Which bot it is; absent where none was found. */
export const BotInfo = z.looseObject({
  category: openEnum(BOT_CATEGORIES).nullable(),
  provider: z.string().nullable(),
  provider_url: z.string().nullish(),
  name: z.string().nullable(),
  identity: openEnum(BOT_IDENTITIES).nullable(),
  confidence: Level.nullable(),
});

/** How often something was seen within the time before the event. */
export const VelocityCount = z.looseObject({
  "5_minutes": Count.nullable(),
  "1_hour": Count.nullable(),
  "24_hours": Count.nullish(),
});

/** What was counted for the visitor, the address and the linked ID. */
export const Velocity = z.looseObject({
  distinct_ip: VelocityCount.nullish(),
  distinct_linked_id: VelocityCount.nullish(),
  distinct_country: VelocityCount.nullish(),
  events: VelocityCount.nullish(),
  ip_events: VelocityCount.nullish(),
  distinct_ip_by_linked_id: VelocityCount.nullish(),
  distinct_visitor_id_by_linked_id: VelocityCount.nullish(),
});

const numbers = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.number().nullish()]),
  ) as Record<N, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>;

const texts = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.string().nullish()]),
  ) as Record<N, z.ZodOptional<z.ZodNullable<z.ZodString>>>;

const graphics = {
  canvas: z
    .looseObject({
      winding: z.boolean().nullish(),
      geometry: z.string().nullish(),
      text: z.string().nullish(),
    })
    .nullish(),
  webgl_extensions: z
    .looseObject({
      ...texts([
        "context_attributes",
        "parameters",
        "shader_precisions",
        "extensions",
        "extension_parameters",
      ]),
      unsupported_extensions: z.array(z.string().nullable()).nullish(),
    })
    .nullish(),
  webgl_basics: z
    .looseObject(
      texts([
        "version",
        "vendor",
        "vendor_unmasked",
        "renderer",
        "renderer_unmasked",
        "shading_language_version",
      ]),
    )
    .nullish(),
  screen_resolution: z
    .array(z.number().nullable())
    .describe("Width and height.")
    .nullish(),
  color_depth: Count.nullish(),
};

const writing = {
  font_preferences: z
    .looseObject(
      numbers(["default", "serif", "sans", "mono", "apple", "min", "system"]),
    )
    .nullish(),
  emoji: z
    .looseObject({
      font: z.string().nullish(),
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
    })
    .nullish(),
  fonts: z.array(z.string().nullable()).nullish(),
  font_hash: z.string().nullish(),
  languages: z.array(z.array(z.string().nullable()).nullable()).nullish(),
  date_time_locale: z.string().nullish(),
  timezone: z.string().nullish(),
  timezone_offset: z.string().nullish(),
  keyboard_layout_hash: z.string().nullish(),
  keyboard_layout_name: z.string().nullish(),
};

const machine = {
  device_memory: Count.meta({ minimum: 0 }).nullish(),
  hardware_concurrency: Count.nullish(),
  architecture: Count.nullish(),
  oscpu: z.string().nullish(),
  platform: z.string().nullish(),
  vendor: z.string().nullish(),
  device_model: z.string().nullish(),
  device_manufacturer: z.string().nullish(),
  battery_level: z.number().meta({ minimum: 0, maximum: 100 }).nullish(),
  battery_charging: z.boolean().nullish(),
  battery_low_power_mode: z.boolean().nullish(),
  touch_support: z
    .looseObject({
      touch_event: z.boolean().nullish(),
      touch_start: z.boolean().nullish(),
      max_touch_points: Count.nullish(),
    })
    .nullish(),
};

const browser = {
  cookies_enabled: z.boolean().nullish(),
  session_storage: z.boolean().nullish(),
  local_storage: z.boolean().nullish(),
  indexed_db: z.boolean().nullish(),
  audio: z.number().nullish(),
  math: z.string().nullish(),
  plugins: z
    .array(
      z
        .looseObject({
          name: z.string().nullable(),
          description: z.string().nullish(),
          mimeTypes: z
            .array(
              z
                .looseObject(texts(["type", "suffixes", "description"]))
                .nullable(),
            )
            .nullish(),
        })
        .nullable(),
    )
    .nullish(),
};

/** What the agent measured: the raw values that the signals are made of. */
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

/** The members of an event that tell of its device, its browser and its visitor. */
export const deviceSignals = {
  active_call: z.boolean().nullish(),
  bot: openEnum(BOT_RESULTS).nullish(),
  bot_type: z.string().nullish(),
  bot_info: BotInfo.nullish(),
  cloned_app: z.boolean().nullish(),
  developer_tools: z.boolean().nullish(),
  emulator: z.boolean().nullish(),
  factory_reset_timestamp: Timestamp.describe("0: no reset found.").nullish(),
  frida: z.boolean().nullish(),
  high_activity_device: z.boolean().nullish(),
  incognito: z.boolean().nullish(),
  jailbroken: z.boolean().nullish(),
  labels: z
    .array(
      z
        .looseObject({
          label: z.string().nullable(),
          prediction: z.boolean().nullish(),
          ml_score: Ratio.nullish(),
        })
        .nullable(),
    )
    .nullish(),
  location_spoofing: z.boolean().nullish(),
  mitm_attack: z.boolean().nullish(),
  privacy_settings: z.boolean().nullish(),
  rare_device: z.boolean().nullish(),
  rare_device_percentile_bucket: openEnum(RARE_DEVICE_BUCKETS).nullish(),
  raw_device_attributes: RawDeviceAttributes.nullish(),
  root_apps: z.boolean().nullish(),
  simulator: z.boolean().nullish(),
  suspect_score: Count.describe("A weighted sum of signals.").nullish(),
  tampering: z.boolean().nullish(),
  tampering_confidence: Level.nullish(),
  tampering_ml_score: Ratio.nullish(),
  tampering_details: z
    .looseObject({
      anomaly_score: Ratio.nullish(),
      anti_detect_browser: z.boolean().nullish(),
    })
    .nullish(),
  velocity: Velocity.nullish(),
  virtual_machine: z.boolean().nullish(),
  virtual_machine_ml_score: Ratio.nullish(),
};
