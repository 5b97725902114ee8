import type { Region } from "@devid/sdk";
import {
  ApiKeyRecord,
  EncryptionKeyRecord,
  EnvironmentRecord,
  FilteringRuleRecord,
  type STATUSES,
  WebhookRecord,
} from "@devid/sdk/wire";
import { defineRecords, OF_ENVIRONMENT } from "./record-columns";
import {
  booleanOrFalse,
  integer,
  integerOrNull,
  integerOrZero,
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
 * those of the filters (event-columns.ts). data-schema.ts makes them. Columns have the names of the wire format. A table of records has a
 * column for each field of its wire schema; a column that is declared here has constraints
 * that the schema does not state, or is of the service alone.
 */

type Status = (typeof STATUSES)[number];

/** Values of the service itself. */
export const SETTINGS = defineTable("settings", {
  name: primaryKey(),
  value: text(),
});

/** Environments. */
export const ENVIRONMENTS = defineRecords(
  "environments",
  "ae",
  EnvironmentRecord,
  {
    is_default: integer(),
    limit_mode: text<"none" | "restrict" | "notify">(),
    is_restricted: booleanOrFalse(),
  },
);

/** A stored environment. */
export type EnvironmentRow = RowOf<typeof ENVIRONMENTS>;

/** API keys. */
export const API_KEYS = defineRecords("api_keys", "tok", ApiKeyRecord, {
  type: text<"public" | "secret" | "proxy">(),
  status: text<Status>(),
  rate_limit: real(),
  token: text("UNIQUE"),
  /** Whether it is a key that every workspace starts with. */
  is_built_in: booleanOrFalse(),
  /** Whether a call has set the key's rate. */
  has_own_rate: booleanOrFalse(),
});

/** A stored API key. */
export type ApiKeyRow = RowOf<typeof API_KEYS>;

/** Webhooks. */
export const WEBHOOKS = defineRecords("webhooks", "wh", WebhookRecord, {
  status: text<Status>(),
  verified: booleanOrFalse(),
  legacy: booleanOrFalse(),
  signing_key: text(),
});

/** A stored webhook. */
export type WebhookRow = RowOf<typeof WEBHOOKS>;

/** Encryption keys. */
export const ENCRYPTION_KEYS = defineRecords(
  "encryption_keys",
  "ek",
  EncryptionKeyRecord,
  {
    environment: text(`UNIQUE ${OF_ENVIRONMENT}`),
    name: text(),
    status: text<Status>(),
    token: text(),
    next_token: text(),
  },
);

/** A stored encryption key. */
export type EncryptionKeyRow = RowOf<typeof ENCRYPTION_KEYS>;

/** Filtering rules. */
export const FILTERING_RULES = defineRecords(
  "filtering_rules",
  "tr",
  FilteringRuleRecord,
  {
    environment: text(OF_ENVIRONMENT),
    /** Orders the rules of an environment; the numbers may have gaps. */
    place: integer(),
    action: text<"allow" | "deny">(),
    status: text<Status>(),
    deny_with: textOrNull<"Forbidden">(),
  },
);

/** A stored filtering rule. */
export type FilteringRuleRow = RowOf<typeof FILTERING_RULES>;

/** The settings that control calls have changed, as JSON. */
export const WORKSPACE_SETTINGS = defineTable("workspace_settings", {
  workspace: primaryKey<Region>(),
  settings: text(),
});

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
  size: integerOrZero(),
  /** The size of all deliveries up to this one. */
  written: integerOrZero(),
  /** When the delivery ended; null while it is pending or under way. */
  ended_at: integerOrNull(),
  /** Why the delivery was given up; null in any other state. */
  reason: textOrNull(),
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
   * The `seq` of the visitor's High Recall ID. Null for an app.
   */
  high_recall: integerOrNull("REFERENCES high_recall_ids (seq)"),
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
  written: integerOrZero(),
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
