PRAGMA application_id = 1684371049;
PRAGMA user_version = 1;
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
CREATE UNIQUE INDEX one_default_environment
    ON environments (workspace) WHERE is_default = 1;
CREATE INDEX rules_in_order ON filtering_rules (environment, place);
INSERT INTO settings (name, value) VALUES ('cursor_secret', '14714110df8a922281dd0c6632a390dbc0499191eb71585960305a323a1edf55');
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (1, 'ae_gCFqN5hMwjPl4O9T', 'us', 1, 'Default', NULL, 'none', NULL, 0, NULL, '2026-11-23T05:13:06.810Z', NULL);
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (2, 'ae_m8sgHsFfuRt1IiMp', 'eu', 1, 'Default', NULL, 'none', NULL, 0, NULL, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (3, 'ae_C94E83T707c4alFA', 'ap', 1, 'Default', NULL, 'none', NULL, 0, NULL, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (4, 'ae_4vaEMZOFXfxwGVsE', 'us', 0, 'Staging', NULL, 'none', NULL, 0, NULL, '2026-11-20T12:00:03.612Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at) VALUES (1, 'tok_IPMwCzv3FpTuFRbb', 'us', NULL, 'secret', 'Local development', NULL, 'enabled', 5.0, 'local-secret-us', 1, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at) VALUES (2, 'tok_BE7xsDuRGY94945n', 'us', 'ae_gCFqN5hMwjPl4O9T', 'public', 'Local development', NULL, 'enabled', 5.0, 'local-public-us', 1, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at) VALUES (3, 'tok_pjpbzzftyHVNyHXC', 'eu', NULL, 'secret', 'Local development', NULL, 'enabled', 5.0, 'local-secret-eu', 1, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at) VALUES (4, 'tok_IMQSjTk56gyZVyQp', 'eu', 'ae_m8sgHsFfuRt1IiMp', 'public', 'Local development', NULL, 'enabled', 5.0, 'local-public-eu', 1, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at) VALUES (5, 'tok_ATKaXOkOnOfJMscO', 'ap', NULL, 'secret', 'Local development', NULL, 'enabled', 5.0, 'local-secret-ap', 1, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at) VALUES (6, 'tok_y0w3L7UGJ03Hxfpf', 'ap', 'ae_C94E83T707c4alFA', 'public', 'Local development', NULL, 'enabled', 5.0, 'local-public-ap', 1, '2026-11-23T05:13:06.811Z', NULL);
INSERT INTO webhooks (seq, id, workspace, environment, url, description, status, verified, legacy, basic_auth, signing_key, created_at, last_enabled_at, last_disabled_at) VALUES (1, 'wh_FhmmTmEANBj1NAny', 'us', NULL, 'https://shop.example/hook', NULL, 'enabled', 0, 0, NULL, 'B4I9e0_u2WFroT0g3boJ2rDJkEkKZDNURN9CJs4fxtI', '2026-11-20T12:00:03.745Z', '2026-11-20T12:00:03.745Z', NULL);
INSERT INTO webhooks (seq, id, workspace, environment, url, description, status, verified, legacy, basic_auth, signing_key, created_at, last_enabled_at, last_disabled_at) VALUES (2, 'wh_xFtQxyOvU0ocYMMl', 'us', NULL, 'http://127.0.0.1:33803/hook', NULL, 'enabled', 1, 0, NULL, 'iMMNQq7yIR5z_ZcAHqlz1-JyeyEXjn6n9n9apfLOKQw', '2026-11-20T12:00:03.795Z', '2026-11-20T12:00:03.795Z', NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (1, 'ek_p07LJ0qDHYxvinlW', 'us', 'ae_gCFqN5hMwjPl4O9T', 'Default encryption key', NULL, 'disabled', NULL, 'KHlkrYt4ccGHrkSuTnHuS5zyywRseZhed6Xe1svJb68=', 'wfygivnC2wu6g54RwKFn7Ue4pWnqJJRHesNHAGEZJns=', '2026-11-23T05:13:06.810Z', NULL, NULL, NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (2, 'ek_F8uJH59blvbExMNQ', 'eu', 'ae_m8sgHsFfuRt1IiMp', 'Default encryption key', NULL, 'disabled', NULL, 'lNj+uixpzlkvVVXk9q6r2VPS8G6cm/xkRxjiqClWEnw=', 'wke6mG1QD+vVu26hggFqRjnEkPMimhML7dls+Baxp2U=', '2026-11-23T05:13:06.811Z', NULL, NULL, NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (3, 'ek_esHgT0Kd07wWPs0S', 'ap', 'ae_C94E83T707c4alFA', 'Default encryption key', NULL, 'disabled', NULL, 'K8C89LNjHse22/bJijI5F1oRBAhhZwMEw+0mWs3ERCQ=', 'R1CHGq0pS1er+KoPExcupRmRprit9v1aG8NBUG+qO88=', '2026-11-23T05:13:06.811Z', NULL, NULL, NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (4, 'ek_hgfZOGHUHYkoJGxP', 'us', 'ae_4vaEMZOFXfxwGVsE', 'Staging encryption key', NULL, 'disabled', NULL, 'I6Y9c0dsNgVqvZoAwH8z8gzD6stWp/Ve4/+aXoNF94I=', 'bxxppbDpDknRLIj40Mm4ZtcM3kvhbv5mgd2trAdSOrA=', '2026-11-20T12:00:03.612Z', NULL, NULL, NULL);
INSERT INTO filtering_rules (seq, id, workspace, environment, place, name, expression, action, status, deny_with, created_at, updated_at) VALUES (1, 'tr_C3CIfM0Yyvy6Wzr1', 'us', 'ae_gCFqN5hMwjPl4O9T', 0, 'no-robots', 'http.user_agent.is_crawler_bot', 'deny', 'enabled', 'Forbidden', '2026-11-20T12:00:06.299Z', NULL);
