import type { Region } from "@devid/service";
import type { LocalWorkspace } from "../../../helpers/local-workspace.js";
import { sender, type Send } from "../../sender.js";

/** Calls of version 3, with the secret key of a region. */
export function sendLegacy(
  local: LocalWorkspace,
  region: Region = "us",
  key?: string,
): Send {
  return sender(() => {
    const token = key ?? local.service.workspaces[region].secretKey;
    return [`${local.url}/${region}`, { "auth-api-key": token }];
  });
}

/** A time at which version 3 is deprecated but still available. */
export const NOW = "2026-06-01T12:00:00.000Z";

/** Unix milliseconds of that time. */
export const NOW_MS = Date.parse(NOW);

/** An event with every signal that version 3 knows. */
export const FULL_EVENT = {
  event_id: "1780315200000.AbC123",
  timestamp: NOW_MS - 60_000,
  linked_id: "order-1",
  tags: { a_b: { c_d: 1 } },
  suspect: false,
  sdk: {
    platform: "android",
    version: "2.9.0",
    integrations: [{ name: "rn", subintegration: { name: "expo" } }],
  },
  replayed: false,
  identification: {
    visitor_id: "visitor-1",
    visitor_found: true,
    confidence: { score: 0.97, version: "1.1" },
    first_seen_at: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    last_seen_at: Date.UTC(2026, 4, 31),
  },
  url: "https://shop.example/login",
  ip_address: "192.0.2.7",
  user_agent: "Mozilla/5.0",
  browser_details: {
    browser_name: "Chrome",
    browser_major_version: "120",
    browser_full_version: "120.0.1",
    os: "Android",
    os_version: "14",
    device: "Other",
  },
  proximity: { id: "p1", precision_radius: 25, confidence: 0.5 },
  bot: "not_detected",
  cloned_app: false,
  developer_tools: true,
  emulator: false,
  factory_reset_timestamp: 0,
  frida: false,
  high_activity_device: false,
  incognito: true,
  ip_blocklist: { email_spam: false, attack_source: true, tor_node: false },
  ip_info: {
    v4: {
      address: "192.0.2.7",
      geolocation: {
        accuracy_radius: 20,
        latitude: 50.05,
        longitude: 14.4,
        postal_code: "150 00",
        timezone: "Europe/Prague",
        city_name: "Prague",
        country_code: "CZ",
        country_name: "Czechia",
        continent_code: "EU",
        continent_name: "Europe",
        subdivisions: [{ iso_code: "10", name: "Praha" }],
      },
      asn: "64500",
      asn_name: "EXAMPLE",
      asn_network: "192.0.2.0/24",
      asn_type: "isp",
      datacenter_result: true,
      datacenter_name: "DC",
    },
    v6: { address: "2001:db8::1" },
  },
  jailbroken: false,
  labels: [{ label: "x", prediction: true, ml_score: 0.5 }],
  location_spoofing: true,
  mitm_attack: false,
  privacy_settings: false,
  proxy: true,
  proxy_confidence: "high",
  proxy_details: {
    proxy_type: "residential",
    last_seen_at: Date.UTC(2026, 4, 30),
  },
  rare_device: true,
  rare_device_percentile_bucket: "p99.9+",
  raw_device_attributes: {
    canvas: { winding: true, geometry: "g", text: "t" },
    color_depth: 30,
    indexed_db: true,
    oscpu: "x",
    webgl_basics: { vendor_unmasked: "v" },
    webgl_extensions: { unsupported_extensions: [] },
    touch_support: { max_touch_points: 5 },
  },
  root_apps: false,
  suspect_score: 8,
  tampering: false,
  tampering_details: { anomaly_score: 0.1955, anti_detect_browser: false },
  velocity: {
    distinct_ip: { "5_minutes": 1, "1_hour": 2, "24_hours": 3 },
    distinct_visitor_id_by_linked_id: { "5_minutes": 1, "1_hour": 1 },
  },
  virtual_machine: false,
  vpn: true,
  vpn_confidence: "medium",
  vpn_origin_timezone: "Europe/Berlin",
  vpn_origin_country: "DE",
  vpn_methods: {
    timezone_mismatch: true,
    public_vpn: false,
    auxiliary_mobile: false,
    os_mismatch: false,
    relay: true,
    ml_prediction: true,
  },
};
