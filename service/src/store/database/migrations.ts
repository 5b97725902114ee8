import type { DatabaseSync } from "@photostructure/sqlite";
import { StartError } from "../../service-errors";

/**
 * The steps that make the schema, in order. A released step never changes; a
 * change of the schema is a new step at the end. The column of a new filter is made
 * by `eventColumn`. A test opens a data file of each length of this list
 * (test/service/store/schemas). `seq` grows with each new row, is never used twice,
 * and is what lists are paged by. Columns have the names of the wire format.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE environments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    limit_mode TEXT NOT NULL,
    limit_value REAL,
    is_restricted INTEGER NOT NULL DEFAULT 0,
    restricted_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT
  ) STRICT;
  CREATE UNIQUE INDEX one_default_environment
    ON environments (workspace) WHERE is_default = 1;

  CREATE TABLE api_keys (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    environment TEXT REFERENCES environments (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL,
    rate_limit REAL NOT NULL,
    token TEXT NOT NULL UNIQUE,
    is_built_in INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    disabled_at TEXT
  ) STRICT;

  CREATE TABLE webhooks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    environment TEXT REFERENCES environments (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL,
    verified INTEGER NOT NULL DEFAULT 0,
    legacy INTEGER NOT NULL DEFAULT 0,
    basic_auth TEXT,
    signing_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_enabled_at TEXT,
    last_disabled_at TEXT
  ) STRICT;

  CREATE TABLE encryption_keys (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    environment TEXT NOT NULL UNIQUE REFERENCES environments (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL,
    previous_token TEXT,
    token TEXT NOT NULL,
    next_token TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_activated_at TEXT,
    last_deactivated_at TEXT,
    last_rotated_at TEXT
  ) STRICT;

  CREATE TABLE filtering_rules (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    environment TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    expression TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    deny_with TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT
  ) STRICT;
  CREATE INDEX rules_in_order ON filtering_rules (environment, place);
  `,
  `
  CREATE TABLE workspace_settings (
    workspace TEXT PRIMARY KEY,
    settings TEXT NOT NULL
  ) STRICT;

  CREATE TABLE drn_records (
    visitor_id TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    set_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE rulesets (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    rules TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;

  -- What searches ask, a column for each field; the events themselves are in
  -- event_bodies, or looking at many of them would read all of each.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    segment INTEGER GENERATED ALWAYS AS (seq >> 14) VIRTUAL,
    workspace TEXT NOT NULL,
    event_id TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    identification_visitor_id TEXT,
    supplementary_id_high_recall_visitor_id TEXT,
    linked_id TEXT,
    ip_address TEXT,
    ip_info_v4_asn TEXT,
    ip_info_v6_asn TEXT,
    url TEXT,
    origin TEXT,
    bundle_id TEXT,
    package_name TEXT,
    environment_id TEXT,
    suspect INTEGER,
    bot TEXT,
    bot_info_category TEXT,
    bot_info_identity TEXT,
    bot_info_confidence TEXT,
    bot_info_provider TEXT,
    bot_info_name TEXT,
    vpn INTEGER,
    vpn_confidence TEXT,
    virtual_machine INTEGER,
    tampering INTEGER,
    tampering_details_anti_detect_browser INTEGER,
    incognito INTEGER,
    privacy_settings INTEGER,
    jailbroken INTEGER,
    frida INTEGER,
    factory_reset_timestamp REAL,
    cloned_app INTEGER,
    emulator INTEGER,
    root_apps INTEGER,
    suspect_score REAL,
    developer_tools INTEGER,
    location_spoofing INTEGER,
    mitm_attack INTEGER,
    rare_device INTEGER,
    rare_device_percentile_bucket TEXT,
    proxy INTEGER,
    sdk_version TEXT,
    sdk_platform TEXT,
    proximity_id TEXT,
    ip_blocklist_tor_node INTEGER,
    incremental_identification_status TEXT,
    simulator INTEGER,
    active_call INTEGER,
    source TEXT
  ) STRICT;
  CREATE UNIQUE INDEX events_by_id ON events (workspace, event_id);
  CREATE INDEX events_by_time ON events (workspace, timestamp);

  -- By segments of 16,384 events, as they arrive: an insert then touches the
  -- few pages of the last segment, however many events there are.
  CREATE INDEX events_by_visitor ON events (segment, identification_visitor_id)
    WHERE identification_visitor_id IS NOT NULL;
  CREATE INDEX events_by_linked_id ON events (segment, linked_id)
    WHERE linked_id IS NOT NULL;
  CREATE INDEX events_by_ip_address ON events (segment, ip_address)
    WHERE ip_address IS NOT NULL;

  CREATE TABLE event_bodies (
    seq INTEGER PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What goes out to webhooks: the text that is sent, and how far it got.
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    webhook TEXT NOT NULL,
    kind TEXT NOT NULL,
    event_id TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    due_at INTEGER
  ) STRICT;
  CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'pending';
  CREATE INDEX deliveries_in_order ON deliveries (workspace, seq);

  CREATE TABLE delivery_attempts (
    delivery INTEGER NOT NULL REFERENCES deliveries (seq) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    url TEXT NOT NULL,
    signature TEXT NOT NULL,
    at INTEGER NOT NULL,
    took_ms REAL,
    status INTEGER,
    answer_headers TEXT,
    answer_body TEXT,
    error TEXT,
    PRIMARY KEY (delivery, attempt)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Who has been seen: by what the browser keeps, else by the device.
  CREATE TABLE visitors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    visitor_id TEXT NOT NULL UNIQUE,
    storage_id TEXT NOT NULL UNIQUE,
    device TEXT,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX visitors_by_device ON visitors (workspace, device);

  -- What the rules said of each request, refused ones included.
  CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    at TEXT NOT NULL,
    environment TEXT NOT NULL,
    key TEXT NOT NULL,
    result TEXT NOT NULL,
    deny_with TEXT,
    rule TEXT,
    event_id TEXT,
    request TEXT NOT NULL
  ) STRICT;
  CREATE INDEX decisions_in_order ON decisions (workspace, seq);
  `,
  `
  -- Each webhook has a queue of its own.
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at) WHERE state = 'pending';
  `,
  `
  -- High Recall IDs, the traces of the browsers that had them, and the visitors
  -- that have them.
  CREATE TABLE high_recall_ids (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    visitor_id TEXT NOT NULL UNIQUE,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE high_recall_traces (
    workspace TEXT NOT NULL,
    trace TEXT NOT NULL,
    high_recall INTEGER NOT NULL REFERENCES high_recall_ids (seq) ON DELETE CASCADE,
    PRIMARY KEY (workspace, trace)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX traces_by_high_recall ON high_recall_traces (high_recall);
  ALTER TABLE visitors
    ADD COLUMN high_recall INTEGER REFERENCES high_recall_ids (seq);
  CREATE INDEX visitors_by_high_recall ON visitors (high_recall);
  CREATE TRIGGER high_recall_without_visitor AFTER DELETE ON visitors BEGIN
    DELETE FROM high_recall_ids
     WHERE seq = OLD.high_recall
       AND NOT EXISTS (SELECT 1 FROM visitors WHERE high_recall = OLD.high_recall);
  END;
  `,
  `
  -- Decisions and deliveries are logs of bounded size. written is the size of
  -- all rows up to this one: the difference of two is the size of those between.
  ALTER TABLE decisions ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
  UPDATE decisions SET written = sums.written FROM (
    SELECT seq, sum(octet_length(request) + coalesce(octet_length(rule), 0)) OVER (ORDER BY seq) AS written
      FROM decisions) AS sums
    WHERE sums.seq = decisions.seq;
  CREATE INDEX decisions_by_rule ON decisions (workspace, rule ->> '$.id', at);

  ALTER TABLE deliveries ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE deliveries ADD COLUMN ended_at INTEGER;
  ALTER TABLE deliveries ADD COLUMN reason TEXT;
  UPDATE deliveries SET size = octet_length(body),
    ended_at = CASE WHEN state IN ('pending', 'sending') THEN NULL ELSE made_at END;
  UPDATE deliveries SET written = sums.written FROM (
    SELECT seq, sum(size) OVER (ORDER BY seq) AS written FROM deliveries) AS sums
    WHERE sums.seq = deliveries.seq;
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at, seq, size) WHERE state = 'pending';
  CREATE INDEX deliveries_under_way ON deliveries (seq) WHERE state = 'sending';
  CREATE INDEX deliveries_ended ON deliveries (seq, written, ended_at) WHERE ended_at IS NOT NULL;

  -- Up to which row of a log everything that has ended is gone.
  CREATE TABLE dropped_rows (
    log TEXT NOT NULL,
    workspace TEXT NOT NULL,
    through INTEGER NOT NULL,
    PRIMARY KEY (log, workspace)
  ) STRICT, WITHOUT ROWID;

  -- The last events of a workspace.
  CREATE INDEX events_in_order ON events (workspace);
  `,
  `
  -- Visitors to delete, and for a day the requests that asked for it, which count
  -- against the quota and name nobody any more.
  CREATE TABLE visitor_deletions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    visitor_id TEXT,
    asked_at INTEGER NOT NULL,
    due_at INTEGER
  ) STRICT;
  CREATE INDEX visitor_deletions_due ON visitor_deletions (due_at)
    WHERE due_at IS NOT NULL;

  -- Which visitors are browsers of one mobile device.
  CREATE TABLE related_visitors (
    workspace TEXT NOT NULL,
    visitor_id TEXT NOT NULL,
    device TEXT NOT NULL,
    PRIMARY KEY (workspace, visitor_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX related_visitors_of_device ON related_visitors (workspace, device);
  `,
  `
  -- Whether somebody has given the key its rate: the rate of a new key is 5, and
  -- a rate of 5 can be given, too.
  ALTER TABLE api_keys ADD COLUMN has_own_rate INTEGER NOT NULL DEFAULT 0;
  UPDATE api_keys SET has_own_rate = 1 WHERE rate_limit <> 5;
  `,
  `
  -- Hits are counted by what a rule says: a set that is written again has new IDs.
  DROP INDEX decisions_by_rule;
  CREATE INDEX decisions_by_rule ON decisions
    (workspace, environment, rule ->> '$.name', rule ->> '$.expression', at)
    WHERE rule IS NOT NULL;
  `,
];

/** The mark of our data files ("devi" in ASCII). */
const APPLICATION_ID = 0x64657669;

type Sqlite = InstanceType<typeof DatabaseSync>;

/**
 * Refuses a file that this version cannot use, before anything is written to
 * it. Throws StartError.
 */
export function refuseForeign(sqlite: Sqlite, path: string): void {
  const [tables] = askOnce(sqlite, "count(*)", "FROM sqlite_schema");
  if (Number(tables) > 0 && pragma(sqlite, "application_id") !== APPLICATION_ID)
    throw new StartError(
      `Data file ${path} is a database of another program. Choose another file.`,
    );
  const version = pragma(sqlite, "user_version");
  if (version > MIGRATIONS.length)
    throw new StartError(
      `Data file ${path} was written by a newer version of devid (schema ${version}; this one knows ${MIGRATIONS.length}). Upgrade devid, or choose another file.`,
    );
}

/** Brings a database to the newest schema, each step in its own transaction. */
export function migrate(sqlite: Sqlite): void {
  const version = pragma(sqlite, "user_version");
  MIGRATIONS.slice(version).forEach((migration, index) => {
    sqlite.exec(
      `BEGIN IMMEDIATE;
       PRAGMA application_id = ${APPLICATION_ID};
       ${migration}
       PRAGMA user_version = ${version + index + 1};
       COMMIT;`,
    );
  });
}

function pragma(sqlite: Sqlite, name: string): number {
  return Number(askOnce(sqlite, name, `FROM pragma_${name}`)[0]);
}

/**
 * The values of a column in all rows of a query. A prepared statement would live on
 * after its connection was closed, and keep the file locked until it is collected.
 */
export function askOnce(
  sqlite: Sqlite,
  column: string,
  from: string,
): unknown[] {
  const values: unknown[] = [];
  sqlite.function("devid_take", (value: unknown) => {
    values.push(value);
    return null;
  });
  sqlite.exec(`SELECT devid_take(${column}) ${from}`);
  return values;
}
