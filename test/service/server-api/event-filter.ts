import { isIP, isIPv6 } from "node:net";
import type { Event } from "@devid/sdk";
import type { EVENT_FILTERS } from "@devid/sdk/wire/events";

/** Values of a query. A filter that can be repeated has a list. */
export type FilterValues = Partial<
  Record<keyof typeof EVENT_FILTERS, readonly string[]>
>;

type Test = (event: Event, values: readonly string[]) => boolean;

const equals =
  (field: (event: Event) => string | boolean | null | undefined): Test =>
  (event, values) => {
    const found = field(event);
    return (found ?? undefined) !== undefined && values.includes(String(found));
  };

/** The meaning of each filter, written independently of the service's table and SQL. */
const TESTS: Record<keyof typeof EVENT_FILTERS, Test> = {
  visitor_id: equals((e) => e.identification?.visitor_id),
  high_recall_id: equals((e) => e.supplementary_id_high_recall?.visitor_id),
  linked_id: equals((e) => e.linked_id),
  ip_address: ({ ip_address }, [range = ""]) =>
    typeof ip_address === "string" && isWithin(ip_address, range),
  asn: ({ ip_info: info }, [asn]) =>
    info?.v4?.asn === asn || info?.v6?.asn === asn,
  url: equals((e) => e.url),
  origin: equals((e) => e.origin),
  bundle_id: equals((e) => e.bundle_id),
  package_name: equals((e) => e.package_name),
  environment: equals((e) => e.environment_id),
  start: ({ timestamp }, [start]) => timestamp >= Number(start),
  end: ({ timestamp }, [end]) => timestamp <= Number(end),
  suspect: equals((e) => e.suspect),
  bot: ({ bot }, [value]) => {
    if (bot === undefined) return false;
    if (value === "all") return bot !== "not_detected";
    return bot === (value === "none" ? "not_detected" : value);
  },
  bot_info: ({ bot, bot_info }, [value]) =>
    value === "all"
      ? bot_info !== undefined
      : bot_info === undefined && bot === "not_detected",
  bot_info_category: equals((e) => e.bot_info?.category),
  bot_info_identity: equals((e) => e.bot_info?.identity),
  bot_info_confidence: equals((e) => e.bot_info?.confidence),
  bot_info_provider: equals((e) => e.bot_info?.provider),
  bot_info_name: equals((e) => e.bot_info?.name),
  vpn: equals((e) => e.vpn),
  vpn_confidence: equals((e) => e.vpn_confidence),
  virtual_machine: equals((e) => e.virtual_machine),
  tampering: equals((e) => e.tampering),
  anti_detect_browser: equals((e) => e.tampering_details?.anti_detect_browser),
  incognito: equals((e) => e.incognito),
  privacy_settings: equals((e) => e.privacy_settings),
  jailbroken: equals((e) => e.jailbroken),
  frida: equals((e) => e.frida),
  factory_reset: ({ factory_reset_timestamp: time }, [value]) =>
    typeof time === "number" && time > 0 === (value === "true"),
  cloned_app: equals((e) => e.cloned_app),
  emulator: equals((e) => e.emulator),
  root_apps: equals((e) => e.root_apps),
  min_suspect_score: ({ suspect_score: score }, [least]) =>
    typeof score === "number" && score > Number(least),
  developer_tools: equals((e) => e.developer_tools),
  location_spoofing: equals((e) => e.location_spoofing),
  mitm_attack: equals((e) => e.mitm_attack),
  rare_device: equals((e) => e.rare_device),
  rare_device_percentile_bucket: equals((e) => e.rare_device_percentile_bucket),
  proxy: equals((e) => e.proxy),
  sdk_version: equals((e) => e.sdk?.version),
  sdk_platform: equals((e) => e.sdk?.platform),
  proximity_id: equals((e) => e.proximity?.id),
  tor_node: equals((e) => e.ip_blocklist?.tor_node),
  incremental_identification_status: equals(
    (e) => e.incremental_identification_status,
  ),
  simulator: equals((e) => e.simulator),
  active_call: equals((e) => e.active_call),
  source: equals((e) => e.source),
};

/** Whether an event meets all filters. Without `source`, only events of devices do. */
export function isMatch(event: Event, values: FilterValues): boolean {
  return Object.entries({ source: ["device"], ...values }).every(
    ([name, given]) => TESTS[name as keyof typeof TESTS](event, given),
  );
}

/** The matches in the order of a search: by time, then by arrival. */
export function matchesOf(
  events: readonly Event[],
  values: FilterValues,
  reverse: boolean,
): Event[] {
  const found = events.filter((event) => isMatch(event, values));
  found.sort((a, b) => a.timestamp - b.timestamp);
  return reverse ? found : found.reverse();
}

function isWithin(ip: string, range: string): boolean {
  const [network = "", bits] = range.split("/");
  if (isIP(ip) === 0 || isIP(ip) !== isIP(network)) return false;
  const width = isIPv6(ip) ? 128 : 32;
  const shift = BigInt(width - Number(bits ?? width));
  return numberOf(ip) >> shift === numberOf(network) >> shift;
}

function numberOf(ip: string): bigint {
  if (!isIPv6(ip))
    return ip.split(".").reduce((n, byte) => (n << 8n) | BigInt(byte), 0n);
  const [head = "", tail = ""] = ip.split("::");
  const [front, back] = [head, tail].map((half) =>
    half === "" ? [] : half.split(":"),
  ) as [string[], string[]];
  const zeros = Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...zeros, ...back].reduce(
    (n, group) => (n << 16n) | BigInt(`0x${group}`),
    0n,
  );
}
