import type { Region } from "@devid/sdk";
import type { STATUSES } from "@devid/sdk/wire";
import {
  added,
  integer,
  integerOrNull,
  integerOrZero,
  OF_ENVIRONMENT,
  primaryKey,
  real,
  realOrNull,
  type RowOf,
  seq,
  defineTable,
  text,
  textOrNull,
} from "./table";

/*
 * The tables of the data file, except `events` and `event_bodies`, whose columns are
 * those of the filters (events/event-columns.ts). The steps of migrations.ts make
 * them. Columns have the names of the wire format.
 */

type Status = (typeof STATUSES)[number];

/** Values of the service itself. */
export const SETTINGS = defineTable("settings", {
  name: primaryKey(),
  value: text(),
});

/** Environments. */
export const ENVIRONMENTS = defineTable(
  "environments",
  {
    seq: seq(),
    id: text("UNIQUE"),
    workspace: text<Region>(),
    is_default: integer(),
    name: text(),
    description: textOrNull(),
    limit_mode: text<"none" | "restrict" | "notify">(),
    limit_value: realOrNull(),
    is_restricted: integerOrZero(),
    restricted_at: textOrNull(),
    created_at: text(),
    updated_at: textOrNull(),
  },
  { isConfiguration: true },
);

/** A stored environment. */
export type EnvironmentRow = RowOf<typeof ENVIRONMENTS>;

/** API keys. */
export const API_KEYS = defineTable("api_keys", {
  seq: seq(),
  id: text("UNIQUE"),
  workspace: text<Region>(),
  environment: textOrNull(OF_ENVIRONMENT),
  type: text<"public" | "secret" | "proxy">(),
  name: text(),
  description: textOrNull(),
  status: text<Status>(),
  rate_limit: real(),
  token: text("UNIQUE"),
  /** 1 for a key that every workspace starts with. */
  is_built_in: integerOrZero(),
  created_at: text(),
  disabled_at: textOrNull(),
  /** 1 if a call has set the key's rate. */
  has_own_rate: added(integerOrZero()),
});

/** A stored API key. */
export type ApiKeyRow = RowOf<typeof API_KEYS>;

/** Webhooks. */
export const WEBHOOKS = defineTable("webhooks", {
  seq: seq(),
  id: text("UNIQUE"),
  workspace: text<Region>(),
  environment: textOrNull(OF_ENVIRONMENT),
  url: text(),
  description: textOrNull(),
  status: text<Status>(),
  verified: integerOrZero(),
  legacy: integerOrZero(),
  /** JSON of an object. */
  basic_auth: textOrNull(),
  signing_key: text(),
  created_at: text(),
  last_enabled_at: textOrNull(),
  last_disabled_at: textOrNull(),
});

/** A stored webhook. */
export type WebhookRow = RowOf<typeof WEBHOOKS>;

/** Encryption keys. */
export const ENCRYPTION_KEYS = defineTable("encryption_keys", {
  seq: seq(),
  id: text("UNIQUE"),
  workspace: text<Region>(),
  environment: text(`UNIQUE ${OF_ENVIRONMENT}`),
  name: text(),
  description: textOrNull(),
  status: text<Status>(),
  previous_token: textOrNull(),
  token: text(),
  next_token: text(),
  created_at: text(),
  last_activated_at: textOrNull(),
  last_deactivated_at: textOrNull(),
  last_rotated_at: textOrNull(),
});

/** A stored encryption key. */
export type EncryptionKeyRow = RowOf<typeof ENCRYPTION_KEYS>;

/** Filtering rules. */
export const FILTERING_RULES = defineTable("filtering_rules", {
  seq: seq(),
  id: text("UNIQUE"),
  workspace: text<Region>(),
  environment: text(OF_ENVIRONMENT),
  /** Orders the rules of an environment; the numbers may have gaps. */
  place: integer(),
  name: text(),
  expression: text(),
  action: text<"allow" | "deny">(),
  status: text<Status>(),
  deny_with: textOrNull<"Forbidden">(),
  created_at: text(),
  updated_at: textOrNull(),
});

/** A stored filtering rule. */
export type FilteringRuleRow = RowOf<typeof FILTERING_RULES>;

/** The settings that control calls have changed, as JSON. */
export const WORKSPACE_SETTINGS = defineTable(
  "workspace_settings",
  { workspace: primaryKey<Region>(), settings: text() },
  { isConfiguration: true },
);

/** The reputations that control calls have set. */
export const DRN_RECORDS = defineTable("drn_records", {
  visitor_id: primaryKey(),
  /** JSON of the `data` of an answer, or of some members of it. */
  data: text(),
  /** Unix milliseconds. */
  set_at: integer(),
});

/** The rulesets that control calls have set. */
export const RULESETS = defineTable(
  "rulesets",
  {
    workspace: text<Region>(),
    id: text(),
    /** JSON of an array. */
    rules: text(),
  },
  { primaryKey: ["workspace", "id"] },
);

/** The deliveries to webhooks, and their states. Times are Unix milliseconds. */
export const DELIVERIES = defineTable("deliveries", {
  seq: seq(),
  workspace: text<Region>(),
  /** ID of the webhook, which may have been deleted since. */
  webhook: text(),
  /** An event, or the test event of a verification. */
  kind: text<"event" | "test">(),
  event_id: text(),
  /** The text that every attempt sends. */
  body: text(),
  /**
   * `dropped`: its webhook was deleted, disabled or no longer verified when the
   * delivery was due. `given_up`: too much waited for its webhook, or it was not sent
   * in time.
   */
  state: text<
    "pending" | "sending" | "delivered" | "failed" | "dropped" | "given_up"
  >(),
  made_at: integer(),
  /** When the delivery is due; null unless the delivery is pending. */
  due_at: integerOrNull(),
  /** Bytes of the body. */
  size: added(integerOrZero()),
  /** The size of all deliveries up to this one. */
  written: added(integerOrZero()),
  /** When the delivery ended; null while it is pending or under way. */
  ended_at: added(integerOrNull()),
  /** Why the delivery was given up; null in any other state. */
  reason: added(textOrNull()),
});

/**
 * The attempts of deliveries. An attempt without a status and without an error is under
 * way.
 */
export const DELIVERY_ATTEMPTS = defineTable(
  "delivery_attempts",
  {
    delivery: integer("REFERENCES deliveries (seq) ON DELETE CASCADE"),
    /** Numbered from 1; every later one is a retry. */
    attempt: integer(),
    url: text(),
    signature: text(),
    at: integer(),
    took_ms: realOrNull(),
    status: integerOrNull(),
    /** JSON of an object that maps names of headers to their values. */
    answer_headers: textOrNull(),
    answer_body: textOrNull(),
    error: textOrNull(),
  },
  { primaryKey: ["delivery", "attempt"], withoutRowid: true },
);

/** A stored attempt. */
export type AttemptRow = RowOf<typeof DELIVERY_ATTEMPTS>;

/** Visitors. All environments of a workspace share them. */
export const VISITORS = defineTable("visitors", {
  seq: seq(),
  workspace: text<Region>(),
  visitor_id: text("UNIQUE"),
  /** The ID that the visitor's browser keeps. It reveals nothing about the visitor. */
  storage_id: text("UNIQUE"),
  /** The digest of the device of the last visit. */
  device: textOrNull(),
  first_seen_at: integer(),
  /** The time of the last visit, or of the first one. */
  last_seen_at: integer(),
  /**
   * The `seq` of the visitor's High Recall ID. Null for an app, and for a browser that
   * was last seen before the service had such IDs.
   */
  high_recall: added(integerOrNull("REFERENCES high_recall_ids (seq)")),
});

/** A stored visitor. */
export type VisitorRow = RowOf<typeof VISITORS>;

/** What the rules decided about each request, refused ones included. */
export const DECISIONS = defineTable("decisions", {
  seq: seq(),
  workspace: text<Region>(),
  at: text(),
  environment: text(),
  /** ID of the public key of the request. */
  key: text(),
  result: text<"allow" | "deny">(),
  /** The answer to a denied request. */
  deny_with: textOrNull(),
  /** JSON of the rule that decided, as it was at that time; null if no rule matched. */
  rule: textOrNull(),
  /** The event of the request; null if the request was denied. */
  event_id: textOrNull(),
  /** JSON of the request that the rules were evaluated on. */
  request: text(),
  /** The size of the rules and requests of all decisions up to this one. */
  written: added(integerOrZero()),
});

/** High Recall IDs. Several visitors of a workspace can have the same one. */
export const HIGH_RECALL_IDS = defineTable("high_recall_ids", {
  seq: seq(),
  workspace: text<Region>(),
  visitor_id: text("UNIQUE"),
  first_seen_at: integer(),
  /** The time of the last visit, or of the first one. */
  last_seen_at: integer(),
});

/** The traces of the browsers that had a High Recall ID. */
export const HIGH_RECALL_TRACES = defineTable(
  "high_recall_traces",
  {
    workspace: text<Region>(),
    trace: text(),
    high_recall: integer("REFERENCES high_recall_ids (seq) ON DELETE CASCADE"),
  },
  { primaryKey: ["workspace", "trace"], withoutRowid: true },
);

/** The number of the last dropped row of each log. */
export const DROPPED_ROWS = defineTable(
  "dropped_rows",
  {
    log: text<"decisions" | "deliveries">(),
    workspace: text<Region>(),
    through: integer(),
  },
  { primaryKey: ["log", "workspace"], withoutRowid: true },
);

/**
 * Visitors to delete. A request that was carried out stays for a day without its
 * visitor, because it counts against the quota. Times are Unix milliseconds.
 */
export const VISITOR_DELETIONS = defineTable("visitor_deletions", {
  seq: seq(),
  workspace: text<Region>(),
  visitor_id: textOrNull(),
  /** When the deletion was asked for. */
  asked_at: integer(),
  due_at: integerOrNull(),
});

/** Which visitors are browsers of one mobile device. */
export const RELATED_VISITORS = defineTable(
  "related_visitors",
  { workspace: text<Region>(), visitor_id: text(), device: text() },
  { primaryKey: ["workspace", "visitor_id"], withoutRowid: true },
);
