import type { DatabaseSync } from "@photostructure/sqlite";
import { StartError } from "../../service-errors";
import * as schema from "./schema";
import { createTable, type Table } from "./table";

/**
 * What tables and columns need beside their declaration in schema.ts, in order: indexes,
 * triggers, the values of new columns in old rows, and the table of events. `migrate`
 * makes missing tables and columns before the first step. A released step never changes;
 * a change is a new step at the end. The column of a new filter is a step `eventColumn`.
 * A test opens a data file of each length of this list (test/service/store/schemas).
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE UNIQUE INDEX one_default_environment
    ON environments (workspace) WHERE is_default = 1;
  CREATE INDEX rules_in_order ON filtering_rules (environment, place);
  `,
  `
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
  CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'pending';
  CREATE INDEX deliveries_in_order ON deliveries (workspace, seq);
  `,
  `
  CREATE INDEX visitors_by_device ON visitors (workspace, device);
  CREATE INDEX decisions_in_order ON decisions (workspace, seq);
  `,
  `
  -- Each webhook has a queue of its own.
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at) WHERE state = 'pending';
  `,
  `
  CREATE INDEX traces_by_high_recall ON high_recall_traces (high_recall);
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
  UPDATE decisions SET written = sums.written FROM (
    SELECT seq, sum(octet_length(request) + coalesce(octet_length(rule), 0)) OVER (ORDER BY seq) AS written
      FROM decisions) AS sums
    WHERE sums.seq = decisions.seq;
  CREATE INDEX decisions_by_rule ON decisions (workspace, rule ->> '$.id', at);

  UPDATE deliveries SET size = octet_length(body),
    ended_at = CASE WHEN state IN ('pending', 'sending') THEN NULL ELSE made_at END;
  UPDATE deliveries SET written = sums.written FROM (
    SELECT seq, sum(size) OVER (ORDER BY seq) AS written FROM deliveries) AS sums
    WHERE sums.seq = deliveries.seq;
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at, seq, size) WHERE state = 'pending';
  CREATE INDEX deliveries_under_way ON deliveries (seq) WHERE state = 'sending';
  CREATE INDEX deliveries_ended ON deliveries (seq, written, ended_at) WHERE ended_at IS NOT NULL;

  -- The last events of a workspace.
  CREATE INDEX events_in_order ON events (workspace);
  `,
  `
  CREATE INDEX visitor_deletions_due ON visitor_deletions (due_at)
    WHERE due_at IS NOT NULL;
  CREATE INDEX related_visitors_of_device ON related_visitors (workspace, device);
  `,
  `
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

/** Brings a database to the newest schema, in one transaction. */
export function migrate(sqlite: Sqlite): void {
  const version = pragma(sqlite, "user_version");
  const changes = [...missingParts(sqlite), ...MIGRATIONS.slice(version)];
  if (changes.length === 0) return;
  sqlite.exec(
    `BEGIN IMMEDIATE;
     PRAGMA application_id = ${APPLICATION_ID};
     ${changes.join("\n")}
     PRAGMA user_version = ${MIGRATIONS.length};
     COMMIT;`,
  );
}

/**
 * The SQL that makes the declared tables and columns that a database lacks. A column of a
 * table that exists has to be nullable, or to have a default.
 */
function missingParts(sqlite: Sqlite): string[] {
  const existing = new Set(
    askOnce(
      sqlite,
      "tables.name || ' ' || columns.name",
      "FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'",
    ),
  );
  return Object.values<Table>(schema).flatMap((table) => {
    const { name, columns } = table;
    const missing = Object.entries(columns).filter(
      ([column]) => !existing.has(`${name} ${column}`),
    );
    if (missing.length === Object.keys(columns).length)
      return [createTable(table)];
    return missing.map(
      ([column, { sql }]) => `ALTER TABLE ${name} ADD COLUMN ${column} ${sql};`,
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
