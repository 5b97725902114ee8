import { createHash } from "node:crypto";
import type { DatabaseSync } from "@photostructure/sqlite";
import { StartError } from "../../service-errors";
import { EVENT_COLUMNS } from "./event-columns";
import * as schema from "./schema";
import { createTable, type Table } from "./table";

/** The tables of schema.ts. The order of a module's exports depends on how it is bundled. */
const TABLES = Object.values<Table>(schema).map(createTable).sort().join("\n");

/** The table of events, indexes and triggers. */
const OTHER_PARTS = `
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

  CREATE UNIQUE INDEX one_default_environment
    ON environments (workspace) WHERE is_default = 1;
  CREATE INDEX rules_in_order ON filtering_rules (environment, place);

  -- Each webhook has a queue of its own.
  CREATE INDEX deliveries_due ON deliveries (webhook, due_at, seq, size) WHERE state = 'pending';
  CREATE INDEX deliveries_in_order ON deliveries (workspace, seq);
  CREATE INDEX deliveries_under_way ON deliveries (seq) WHERE state = 'sending';
  CREATE INDEX deliveries_ended ON deliveries (seq, written, ended_at) WHERE ended_at IS NOT NULL;

  CREATE INDEX decisions_in_order ON decisions (workspace, seq);
  -- Hits are counted by what a rule says: a set that is written again has new IDs.
  CREATE INDEX decisions_by_rule ON decisions
    (workspace, environment, rule ->> '$.name', rule ->> '$.expression', at)
    WHERE rule IS NOT NULL;

  CREATE INDEX visitors_by_device ON visitors (workspace, device);
  CREATE INDEX visitors_by_high_recall ON visitors (high_recall);
  CREATE INDEX traces_by_high_recall ON high_recall_traces (high_recall);
  CREATE TRIGGER high_recall_without_visitor AFTER DELETE ON visitors BEGIN
    DELETE FROM high_recall_ids
     WHERE seq = OLD.high_recall
       AND NOT EXISTS (SELECT 1 FROM visitors WHERE high_recall = OLD.high_recall);
  END;

  CREATE INDEX visitor_deletions_due ON visitor_deletions (due_at)
    WHERE due_at IS NOT NULL;
  CREATE INDEX related_visitors_of_device ON related_visitors (workspace, device);
`;

const SCHEMA = `${TABLES}\n${OTHER_PARTS}`;

/** The number of this schema, which changes with every change of it. */
const VERSION =
  createHash("sha256").update(SCHEMA).digest().readInt32BE() & 0x7fffffff;

/** The mark of our data files ("devi" in ASCII). */
const APPLICATION_ID = 0x64657669;

type Sqlite = InstanceType<typeof DatabaseSync>;

/**
 * Refuses the file of another program or of another version, before anything is written
 * to it. Throws StartError.
 */
export function refuseForeign(sqlite: Sqlite, path: string): void {
  if (isEmpty(sqlite)) return;
  if (pragma(sqlite, "application_id") !== APPLICATION_ID)
    throw new StartError(
      `Data file ${path} is a database of another program. Choose another file.`,
    );
  if (pragma(sqlite, "user_version") !== VERSION)
    throw new StartError(
      `Data file ${path} was written by another version of devid and was left as it is. Choose another file, or delete this one to start anew.`,
    );
}

/** Makes the tables of a new database, in one transaction. */
export function createSchema(sqlite: Sqlite): void {
  if (!isEmpty(sqlite)) return;
  sqlite.exec(
    `BEGIN IMMEDIATE;
     PRAGMA application_id = ${APPLICATION_ID};
     ${SCHEMA}
     PRAGMA user_version = ${VERSION};
     COMMIT;`,
  );
}

function isEmpty(sqlite: Sqlite): boolean {
  return Number(askOnce(sqlite, "count(*)", "FROM sqlite_schema")[0]) === 0;
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
