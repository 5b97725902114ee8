import * as z from "zod";
import { IDENTIFICATION_STATUSES, EventRecord } from "./event";
import { LINKED_ID_MAX_LENGTH } from "./event-update";
import {
  BOT_CATEGORIES,
  BOT_IDENTITIES,
  RARE_DEVICE_BUCKETS,
  LEVELS,
} from "./event-signals";

/** A query parameter of `GET /events`. */
export type SearchParameter = {
  /** What the parameter does, in words. */
  readonly matches: string;
  /**
   * Dotted paths of the fields that are compared with the parameter's value. Absent if
   * the parameter does more than compare.
   */
  readonly fields?: readonly string[];
  /** Whether a query without this parameter is refused. */
  readonly required?: true;
} & (
  | { readonly kind: "boolean" | "ip" | "time" }
  | { readonly kind: "text"; readonly maxLength?: number }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | {
      /** The parameter may be repeated. An event matches if one of the values matches. */
      readonly kind: "repeated";
      readonly values?: readonly string[];
      readonly maxItems?: number;
    }
  | {
      readonly kind: "number" | "integer";
      readonly minimum?: number;
      readonly maximum?: number;
    }
);

/** A table of query parameters. */
export type ParameterTable = Readonly<Record<string, SearchParameter>>;

/** A parameter that does more than compare. */
const other = <const K extends SearchParameter["kind"]>(
  kind: K,
  matches: string,
) => ({ kind, matches });

const text = (...fields: string[]) =>
  ({ ...other("text", `${fields.join(" or ")}, exactly`), fields }) as const;

const signal = (field: string) =>
  ({
    ...other("boolean", `${field}; events without it never match`),
    fields: [field],
  }) as const;

const oneOf = <const V extends readonly string[]>(field: string, values: V) =>
  ({ kind: "enum", values, fields: [field], matches: field }) as const;

const anyOf = (field: string) =>
  ({
    kind: "repeated",
    fields: [field],
    matches: `${field} is one of the given values`,
  }) as const;

const anyKnown = <const V extends readonly string[]>(
  field: string,
  values: V,
) => ({ ...anyOf(field), values }) as const;

/**
 * The filters of `GET /events`, one row each, by their names in the query
 * (docs/contract.md, "GET /events"). This table defines the client's arguments, the
 * service's check of the query and the flags of the command line.
 */
export const EVENT_FILTERS = {
  visitor_id: text("identification.visitor_id"),
  high_recall_id: text("supplementary_id_high_recall.visitor_id"),
  linked_id: { ...text("linked_id"), maxLength: LINKED_ID_MAX_LENGTH },
  ip_address: other("ip", "ip_address: an address, or all of a CIDR range"),
  asn: text("ip_info.v4.asn", "ip_info.v6.asn"),
  url: text("url"),
  origin: text("origin"),
  bundle_id: text("bundle_id"),
  package_name: text("package_name"),
  environment: anyOf("environment_id"),
  start: other("time", "events at or after this time; default: 7 days ago"),
  end: other("time", "events at or before this time; default: now"),
  suspect: signal("suspect"),
  bot: {
    kind: "enum",
    values: ["all", "good", "bad", "none"],
    matches:
      "bot: all is any bot, none is not_detected; events without a result never match",
  },
  bot_info: {
    kind: "enum",
    values: ["all", "none"],
    matches:
      "all: bot_info is present; none: bot_info is missing and bot is not_detected",
  },
  bot_info_category: anyKnown("bot_info.category", BOT_CATEGORIES),
  bot_info_identity: anyKnown("bot_info.identity", BOT_IDENTITIES),
  bot_info_confidence: anyKnown("bot_info.confidence", LEVELS),
  bot_info_provider: anyOf("bot_info.provider"),
  bot_info_name: anyOf("bot_info.name"),
  vpn: signal("vpn"),
  vpn_confidence: oneOf("vpn_confidence", LEVELS),
  virtual_machine: signal("virtual_machine"),
  tampering: signal("tampering"),
  anti_detect_browser: signal("tampering_details.anti_detect_browser"),
  incognito: signal("incognito"),
  privacy_settings: signal("privacy_settings"),
  jailbroken: signal("jailbroken"),
  frida: signal("frida"),
  factory_reset: other(
    "boolean",
    "whether factory_reset_timestamp shows a reset",
  ),
  cloned_app: signal("cloned_app"),
  emulator: signal("emulator"),
  root_apps: signal("root_apps"),
  min_suspect_score: other(
    "number",
    "events whose suspect_score is above this number",
  ),
  developer_tools: signal("developer_tools"),
  location_spoofing: signal("location_spoofing"),
  mitm_attack: signal("mitm_attack"),
  rare_device: signal("rare_device"),
  rare_device_percentile_bucket: oneOf(
    "rare_device_percentile_bucket",
    RARE_DEVICE_BUCKETS,
  ),
  proxy: signal("proxy"),
  sdk_version: text("sdk.version"),
  sdk_platform: oneOf("sdk.platform", ["js", "android", "ios"]),
  proximity_id: text("proximity.id"),
  tor_node: signal("ip_blocklist.tor_node"),
  incremental_identification_status: oneOf(
    "incremental_identification_status",
    IDENTIFICATION_STATUSES,
  ),
  simulator: signal("simulator"),
  active_call: signal("active_call"),
  source: {
    kind: "repeated",
    values: ["edge"],
    maxItems: 1,
    fields: ["source"],
    matches: "source; default: events of devices",
  },
} as const satisfies Record<string, SearchParameter>;

/** The parameters of `GET /events` that select a page of the matches. */
export const EVENT_PAGE_PARAMETERS = {
  limit: {
    ...other("integer", "number of events on a page; default: 10"),
    ...{ minimum: 1, maximum: 100 },
  },
  pagination_key: other(
    "text",
    "the page after the page that returned this key",
  ),
  reverse: other(
    "boolean",
    "true: oldest first; false or left out: newest first",
  ),
  total_hits: {
    ...other(
      "integer",
      "asks for the number of matches, counted up to this number",
    ),
    ...{ minimum: 1, maximum: 1000 },
  },
} as const satisfies Record<string, SearchParameter>;

/** Every query parameter of `GET /events`. */
export const EVENT_SEARCH_PARAMETERS = {
  ...EVENT_FILTERS,
  ...EVENT_PAGE_PARAMETERS,
} as const satisfies Record<string, SearchParameter>;

/** Answer of `GET /events`: one page. The last page has no `pagination_key`. */
export const EventSearchAnswer = z.looseObject({
  events: z.array(EventRecord),
  pagination_key: z.string().nullish(),
  total_hits: z
    .number()
    .meta({ type: "integer" })
    .describe("Matches, counted up to the number that was asked for.")
    .nullish(),
});
