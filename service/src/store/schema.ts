import { createHash } from "node:crypto";
import type { Region } from "@devid/sdk";
import type {
  ApiKeyRecord,
  EncryptionKeyRecord,
  EnvironmentRecord,
  FilteringRuleRecord,
  STATUSES,
  WebhookRecord,
} from "@devid/sdk/wire";
import type { z } from "zod";
import { EVENT_COLUMNS } from "./event-columns";

/** The columns of every record of the management API. */
const RECORD = `
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    created_at TEXT NOT NULL`;

/** A row is deleted with its environment. */
const OF_ENVIRONMENT = "REFERENCES environments (id) ON DELETE CASCADE";

/**
 * The tables of the data file. Columns have the names of the wire format. A boolean is 0
 * or 1, an object or a list is JSON. Times are ISO 8601 as text, Unix milliseconds as
 * integer. `seq` grows with each new row, and is never used twice.
 */
export const SCHEMA = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE environments (${RECORD},
    name TEXT NOT NULL, description TEXT,
    limit_mode TEXT NOT NULL, limit_value REAL,
    is_restricted INTEGER NOT NULL DEFAULT 0, restricted_at TEXT,
    is_default INTEGER NOT NULL, updated_at TEXT
  ) STRICT;
  CREATE UNIQUE INDEX one_default_environment
    ON environments (workspace) WHERE is_default = 1;

  -- is_built_in: a key that every workspace starts with. has_own_rate: a call has set it.
  CREATE TABLE api_keys (${RECORD},
    name TEXT NOT NULL, description TEXT, type TEXT NOT NULL, status TEXT NOT NULL,
    environment TEXT ${OF_ENVIRONMENT},
    rate_limit REAL NOT NULL, token TEXT NOT NULL UNIQUE, disabled_at TEXT,
    is_built_in INTEGER NOT NULL DEFAULT 0, has_own_rate INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE webhooks (${RECORD},
    url TEXT NOT NULL, description TEXT, status TEXT NOT NULL,
    verified INTEGER NOT NULL DEFAULT 0, environment TEXT ${OF_ENVIRONMENT},
    legacy INTEGER NOT NULL DEFAULT 0, basic_auth TEXT, signing_key TEXT NOT NULL,
    last_enabled_at TEXT, last_disabled_at TEXT
  ) STRICT;

  CREATE TABLE encryption_keys (${RECORD},
    name TEXT NOT NULL, description TEXT, status TEXT NOT NULL,
    environment TEXT NOT NULL UNIQUE ${OF_ENVIRONMENT},
    last_activated_at TEXT, last_deactivated_at TEXT, last_rotated_at TEXT,
    previous_token TEXT, token TEXT NOT NULL, next_token TEXT NOT NULL
  ) STRICT;

  -- place orders the rules of an environment; the numbers may have gaps.
  CREATE TABLE filtering_rules (${RECORD},
    name TEXT NOT NULL, environment TEXT NOT NULL ${OF_ENVIRONMENT},
    expression TEXT NOT NULL, action TEXT NOT NULL, status TEXT NOT NULL,
    deny_with TEXT, place INTEGER NOT NULL, updated_at TEXT
  ) STRICT;
  CREATE INDEX rules_in_order ON filtering_rules (environment, place);

  -- What control calls have set, as JSON.
  CREATE TABLE control_records (
    kind TEXT NOT NULL, workspace TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (kind, workspace, id)
  ) STRICT, WITHOUT ROWID;

  -- What searches ask, a column for each field; the events themselves are in
  -- event_bodies, or looking at many of them would read all of each.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    event_id TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    ${EVENT_COLUMNS.map((column) => `${column} ANY`).join(", ")}
  ) STRICT;
  CREATE TABLE event_bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX events_by_id ON events (workspace, event_id);
  CREATE INDEX events_by_time ON events (workspace, timestamp);
  -- The last events of a workspace.
  CREATE INDEX events_in_order ON events (workspace);
  CREATE INDEX events_by_visitor
    ON events (workspace, identification_visitor_id, timestamp, ip_address, linked_id)
    WHERE identification_visitor_id IS NOT NULL;
  CREATE INDEX events_by_linked_id ON events (workspace, linked_id, timestamp, ip_address, identification_visitor_id)
    WHERE linked_id IS NOT NULL;
  CREATE INDEX events_by_ip_address ON events (workspace, ip_address, timestamp)
    WHERE ip_address IS NOT NULL;

  -- Deliveries to webhooks, each of which has a queue of its own. due_at is null unless
  -- the delivery is pending, ended_at while it is pending or under way. written is the
  -- size of all deliveries up to this one.
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL, webhook TEXT NOT NULL, kind TEXT NOT NULL,
    event_id TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL,
    made_at INTEGER NOT NULL, due_at INTEGER, ended_at INTEGER, reason TEXT,
    size INTEGER NOT NULL, written INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at, seq, size) WHERE state = 'pending';
  CREATE INDEX deliveries_in_order ON deliveries (workspace, seq);
  CREATE INDEX deliveries_under_way ON deliveries (seq) WHERE state = 'sending';
  CREATE INDEX deliveries_ended ON deliveries (seq, written) WHERE ended_at IS NOT NULL;

  -- An attempt without a status and without an error is under way.
  CREATE TABLE delivery_attempts (
    delivery INTEGER NOT NULL REFERENCES deliveries (seq) ON DELETE CASCADE,
    attempt INTEGER NOT NULL, url TEXT NOT NULL, signature TEXT NOT NULL,
    at INTEGER NOT NULL, took_ms REAL, status INTEGER, answer_headers TEXT,
    answer_body TEXT, error TEXT, PRIMARY KEY (delivery, attempt)
  ) STRICT, WITHOUT ROWID;

  -- What the rules decided about each request, refused ones included. rule and request
  -- are JSON; written is the size of both of all decisions up to this one.
  CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL, at TEXT NOT NULL, environment TEXT NOT NULL,
    key TEXT NOT NULL, result TEXT NOT NULL, deny_with TEXT, rule TEXT,
    event_id TEXT, request TEXT NOT NULL, written INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX decisions_in_order ON decisions (workspace, seq);
  -- Hits are counted by what a rule says: a set that is written again has new IDs.
  CREATE INDEX decisions_by_rule ON decisions
    (workspace, environment, rule ->> '$.name', rule ->> '$.expression', at)
    WHERE rule IS NOT NULL;

  -- Several visitors of a workspace can have the same High Recall ID.
  CREATE TABLE high_recall_ids (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL, visitor_id TEXT NOT NULL UNIQUE,
    first_seen_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE high_recall_traces (
    workspace TEXT NOT NULL, trace TEXT NOT NULL,
    high_recall INTEGER NOT NULL REFERENCES high_recall_ids (seq) ON DELETE CASCADE,
    PRIMARY KEY (workspace, trace)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX traces_by_high_recall ON high_recall_traces (high_recall);

  -- All environments of a workspace share its visitors. device is the digest of the
  -- device of the last visit. high_recall is null for an app.
  CREATE TABLE visitors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL, visitor_id TEXT NOT NULL UNIQUE,
    storage_id TEXT NOT NULL UNIQUE, device TEXT,
    first_seen_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL,
    high_recall INTEGER REFERENCES high_recall_ids (seq)
  ) STRICT;
  CREATE INDEX visitors_by_device ON visitors (workspace, device);
  CREATE INDEX visitors_by_high_recall ON visitors (high_recall);
  CREATE TRIGGER high_recall_without_visitor AFTER DELETE ON visitors BEGIN
    DELETE FROM high_recall_ids
     WHERE seq = OLD.high_recall
       AND NOT EXISTS (SELECT 1 FROM visitors WHERE high_recall = OLD.high_recall);
  END;

  -- A request that was carried out stays for a day without its visitor, because it
  -- counts against the quota.
  CREATE TABLE visitor_deletions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL, visitor_id TEXT, asked_at INTEGER NOT NULL, due_at INTEGER
  ) STRICT;
  CREATE INDEX visitor_deletions_due ON visitor_deletions (due_at)
    WHERE due_at IS NOT NULL;

  -- Which visitors are browsers of one mobile device.
  CREATE TABLE related_visitors (
    workspace TEXT NOT NULL, visitor_id TEXT NOT NULL, device TEXT NOT NULL,
    PRIMARY KEY (workspace, visitor_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX related_visitors_of_device ON related_visitors (workspace, device);
`;

/** The number of this schema, which changes with every change of it. */
export const VERSION =
  createHash("sha256").update(SCHEMA).digest().readInt32BE() & 0x7fffffff;

type Status = (typeof STATUSES)[number];

/** The row of a record: its wire schema's fields, null if absent, and those of the service. */
type RecordRow<S extends z.ZodObject, Own> = Own & {
  readonly [Name in Exclude<keyof z.output<S>, keyof Own | "created_at">]-?:
    | Exclude<z.output<S>[Name], undefined>
    | (undefined extends z.output<S>[Name] ? null : never);
} & {
  readonly seq: number;
  readonly workspace: Region;
  readonly created_at: string;
};

/** A stored environment. */
export type EnvironmentRow = RecordRow<
  typeof EnvironmentRecord,
  { readonly is_default: boolean; readonly is_restricted: boolean }
>;

/** A stored API key. */
export type ApiKeyRow = RecordRow<
  typeof ApiKeyRecord,
  {
    readonly type: "public" | "secret" | "proxy";
    readonly status: Status;
    readonly rate_limit: number;
    readonly token: string;
    readonly is_built_in: boolean;
    readonly has_own_rate: boolean;
  }
>;

/** A stored webhook. */
export type WebhookRow = RecordRow<
  typeof WebhookRecord,
  {
    readonly status: Status;
    readonly verified: boolean;
    readonly legacy: boolean;
    readonly basic_auth: object | null;
    readonly signing_key: string;
  }
>;

/** A stored encryption key. */
export type EncryptionKeyRow = RecordRow<
  typeof EncryptionKeyRecord,
  {
    readonly environment: string;
    readonly status: Status;
    readonly token: string;
    readonly next_token: string;
  }
>;

/** A stored filtering rule. */
export type FilteringRuleRow = RecordRow<
  typeof FilteringRuleRecord,
  {
    readonly environment: string;
    readonly place: number;
    readonly action: "allow" | "deny";
    readonly status: Status;
    readonly deny_with: "Forbidden" | null;
  }
>;
