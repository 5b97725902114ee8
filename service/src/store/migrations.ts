/**
 * The schema's steps, in order. A released step never changes; a change of the
 * schema is a new step at the end. `seq` is the order of creation, never given
 * twice, and the key that lists are paged by. Columns carry the wire's names.
 */
export const MIGRATIONS: readonly string[] = [
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
];
