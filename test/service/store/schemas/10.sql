PRAGMA application_id = 1684371049;
PRAGMA user_version = 10;
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
  , has_own_rate INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE event_bodies (
    seq INTEGER PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
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
  , size INTEGER NOT NULL DEFAULT 0, written INTEGER NOT NULL DEFAULT 0, ended_at INTEGER, reason TEXT) STRICT;
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
CREATE TABLE visitors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    visitor_id TEXT NOT NULL UNIQUE,
    storage_id TEXT NOT NULL UNIQUE,
    device TEXT,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  , high_recall INTEGER REFERENCES high_recall_ids (seq)) STRICT;
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
  , written INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE dropped_rows (
    log TEXT NOT NULL,
    workspace TEXT NOT NULL,
    through INTEGER NOT NULL,
    PRIMARY KEY (log, workspace)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE visitor_deletions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    visitor_id TEXT,
    asked_at INTEGER NOT NULL,
    due_at INTEGER
  ) STRICT;
CREATE TABLE related_visitors (
    workspace TEXT NOT NULL,
    visitor_id TEXT NOT NULL,
    device TEXT NOT NULL,
    PRIMARY KEY (workspace, visitor_id)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_default_environment
    ON environments (workspace) WHERE is_default = 1;
CREATE INDEX rules_in_order ON filtering_rules (environment, place);
CREATE UNIQUE INDEX events_by_id ON events (workspace, event_id);
CREATE INDEX events_by_time ON events (workspace, timestamp);
CREATE INDEX events_by_visitor ON events (segment, identification_visitor_id)
    WHERE identification_visitor_id IS NOT NULL;
CREATE INDEX events_by_linked_id ON events (segment, linked_id)
    WHERE linked_id IS NOT NULL;
CREATE INDEX events_by_ip_address ON events (segment, ip_address)
    WHERE ip_address IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (workspace, seq);
CREATE INDEX visitors_by_device ON visitors (workspace, device);
CREATE INDEX decisions_in_order ON decisions (workspace, seq);
CREATE INDEX traces_by_high_recall ON high_recall_traces (high_recall);
CREATE INDEX visitors_by_high_recall ON visitors (high_recall);
CREATE INDEX deliveries_due ON deliveries (webhook, due_at, seq, size) WHERE state = 'pending';
CREATE INDEX deliveries_under_way ON deliveries (seq) WHERE state = 'sending';
CREATE INDEX deliveries_ended ON deliveries (seq, written, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX events_in_order ON events (workspace);
CREATE INDEX visitor_deletions_due ON visitor_deletions (due_at)
    WHERE due_at IS NOT NULL;
CREATE INDEX related_visitors_of_device ON related_visitors (workspace, device);
CREATE INDEX decisions_by_rule ON decisions
    (workspace, environment, rule ->> '$.name', rule ->> '$.expression', at)
    WHERE rule IS NOT NULL;
CREATE TRIGGER high_recall_without_visitor AFTER DELETE ON visitors BEGIN
    DELETE FROM high_recall_ids
     WHERE seq = OLD.high_recall
       AND NOT EXISTS (SELECT 1 FROM visitors WHERE high_recall = OLD.high_recall);
  END;
INSERT INTO settings (name, value) VALUES ('cursor_secret', '892eb0a01be49b22b20d63a357d02191d85ec5a048ebd97590321ab3cd4c6b06');
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (1, 'ae_BezfJ6dyZ3ZNpoik', 'us', 1, 'Default', NULL, 'none', NULL, 0, NULL, '2026-11-23T09:19:15.310Z', NULL);
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (2, 'ae_pbgoejq97DBihKLB', 'eu', 1, 'Default', NULL, 'none', NULL, 0, NULL, '2026-11-23T09:19:15.311Z', NULL);
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (3, 'ae_mzSpkrlNGVrzfZT9', 'ap', 1, 'Default', NULL, 'none', NULL, 0, NULL, '2026-11-23T09:19:15.311Z', NULL);
INSERT INTO environments (seq, id, workspace, is_default, name, description, limit_mode, limit_value, is_restricted, restricted_at, created_at, updated_at) VALUES (4, 'ae_PDLmPAu0jultq8B8', 'us', 0, 'Staging', NULL, 'none', NULL, 0, NULL, '2026-11-20T12:00:02.559Z', NULL);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at, has_own_rate) VALUES (1, 'tok_bVu7ehiRYK8590GI', 'us', NULL, 'secret', 'Local development', NULL, 'enabled', 5.0, 'local-secret-us', 1, '2026-11-23T09:19:15.310Z', NULL, 0);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at, has_own_rate) VALUES (2, 'tok_thRB3rriYhF6wlPa', 'us', 'ae_BezfJ6dyZ3ZNpoik', 'public', 'Local development', NULL, 'enabled', 5.0, 'local-public-us', 1, '2026-11-23T09:19:15.310Z', NULL, 0);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at, has_own_rate) VALUES (3, 'tok_ZKFuAZ5fSbE6KgX3', 'eu', NULL, 'secret', 'Local development', NULL, 'enabled', 5.0, 'local-secret-eu', 1, '2026-11-23T09:19:15.311Z', NULL, 0);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at, has_own_rate) VALUES (4, 'tok_QDvjBsX2TY7b1g9L', 'eu', 'ae_pbgoejq97DBihKLB', 'public', 'Local development', NULL, 'enabled', 5.0, 'local-public-eu', 1, '2026-11-23T09:19:15.311Z', NULL, 0);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at, has_own_rate) VALUES (5, 'tok_PIIj8gssKjL1MuPH', 'ap', NULL, 'secret', 'Local development', NULL, 'enabled', 5.0, 'local-secret-ap', 1, '2026-11-23T09:19:15.311Z', NULL, 0);
INSERT INTO api_keys (seq, id, workspace, environment, type, name, description, status, rate_limit, token, is_built_in, created_at, disabled_at, has_own_rate) VALUES (6, 'tok_7Xhz57ZpPdGQ1JqL', 'ap', 'ae_mzSpkrlNGVrzfZT9', 'public', 'Local development', NULL, 'enabled', 5.0, 'local-public-ap', 1, '2026-11-23T09:19:15.311Z', NULL, 0);
INSERT INTO webhooks (seq, id, workspace, environment, url, description, status, verified, legacy, basic_auth, signing_key, created_at, last_enabled_at, last_disabled_at) VALUES (1, 'wh_BYvb0reZTnK5vTJS', 'us', NULL, 'https://shop.example/hook', NULL, 'enabled', 0, 0, NULL, 'XT7QNpddRddhRYx-UQxdG8vvvOCSsZ46UkgaoivcGzs', '2026-11-20T12:00:02.621Z', '2026-11-20T12:00:02.621Z', NULL);
INSERT INTO webhooks (seq, id, workspace, environment, url, description, status, verified, legacy, basic_auth, signing_key, created_at, last_enabled_at, last_disabled_at) VALUES (2, 'wh_hRCwOfdGCa0RsLmU', 'us', NULL, 'http://127.0.0.1:45581/hook', NULL, 'enabled', 1, 0, NULL, 'uX1yXOFvWPxHI3fhMGLsukSoubWstUGDWV8zb66F2Us', '2026-11-20T12:00:02.689Z', '2026-11-20T12:00:02.689Z', NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (1, 'ek_r396C6pf8OcOOEzW', 'us', 'ae_BezfJ6dyZ3ZNpoik', 'Default encryption key', NULL, 'disabled', NULL, 'K/H2yVSDKfZtDb5LVZoTuZ24jl/3dLG3cT+zOFjxntM=', '4qRV9wsqZZbvVHmw8UbbryH68SVTahdyNUlUVTMFENc=', '2026-11-23T09:19:15.310Z', NULL, NULL, NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (2, 'ek_Qse8iaQ3BZdyIx9I', 'eu', 'ae_pbgoejq97DBihKLB', 'Default encryption key', NULL, 'disabled', NULL, '8BNzhEwHIgrLbnE6y6OVqwATdDKZAdxZix9bd6HggkU=', 'mW54LDc0rIyg3CZVe6589lNLv1YFJaP9eAnmctcIwW4=', '2026-11-23T09:19:15.311Z', NULL, NULL, NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (3, 'ek_1jZOxtQiuctxDxt5', 'ap', 'ae_mzSpkrlNGVrzfZT9', 'Default encryption key', NULL, 'disabled', NULL, '5E5YIMQGcdunIQ4rimkUGGQxh2uNItwpDAbZTrOPlZQ=', 'LpFbeh9Zw4kSRoWooDkKZ+XOzAnV00O6YOQjr6ks1AY=', '2026-11-23T09:19:15.311Z', NULL, NULL, NULL);
INSERT INTO encryption_keys (seq, id, workspace, environment, name, description, status, previous_token, token, next_token, created_at, last_activated_at, last_deactivated_at, last_rotated_at) VALUES (4, 'ek_B9seVqbGIGs9VyGS', 'us', 'ae_PDLmPAu0jultq8B8', 'Staging encryption key', NULL, 'disabled', NULL, 'OWPSHNrBaVUdqIU1Foj8oJ9f4gbNu8s4/QgYCmfC6lM=', 'hw3z0THfgnjO3Mldl7nLLqD5R6sVx3OLXv1YjIRPLWQ=', '2026-11-20T12:00:02.559Z', NULL, NULL, NULL);
INSERT INTO filtering_rules (seq, id, workspace, environment, place, name, expression, action, status, deny_with, created_at, updated_at) VALUES (1, 'tr_bD5vKCYfRuTIT3Qy', 'us', 'ae_BezfJ6dyZ3ZNpoik', 0, 'no-robots', 'http.user_agent.is_crawler_bot', 'deny', 'enabled', 'Forbidden', '2026-11-20T12:00:03.750Z', NULL);
INSERT INTO workspace_settings (workspace, settings) VALUES ('us', '{"lookbackDays":90,"signals":"all","zeroTrust":false,"identification":true,"sealed":false,"visitorDeletion":true,"relatedVisitors":false}');
INSERT INTO drn_records (visitor_id, data, set_at) VALUES ('abcdefghij0123456789', '{}', 1795176004087);
INSERT INTO rulesets (workspace, id, rules) VALUES ('us', 'rs_1', '[]');
INSERT INTO events (seq, workspace, event_id, timestamp, identification_visitor_id, supplementary_id_high_recall_visitor_id, linked_id, ip_address, ip_info_v4_asn, ip_info_v6_asn, url, origin, bundle_id, package_name, environment_id, suspect, bot, bot_info_category, bot_info_identity, bot_info_confidence, bot_info_provider, bot_info_name, vpn, vpn_confidence, virtual_machine, tampering, tampering_details_anti_detect_browser, incognito, privacy_settings, jailbroken, frida, factory_reset_timestamp, cloned_app, emulator, root_apps, suspect_score, developer_tools, location_spoofing, mitm_attack, rare_device, rare_device_percentile_bucket, proxy, sdk_version, sdk_platform, proximity_id, ip_blocklist_tor_node, incremental_identification_status, simulator, active_call, source) VALUES (1, 'us', '1795176004391.Knq8Qc', 1795176004391, 'Igop6sTrMBi3TTseoZEc', NULL, 'recorded', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ae_BezfJ6dyZ3ZNpoik', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3.0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'near-1', NULL, NULL, NULL, NULL, 'device');
INSERT INTO events (seq, workspace, event_id, timestamp, identification_visitor_id, supplementary_id_high_recall_visitor_id, linked_id, ip_address, ip_info_v4_asn, ip_info_v6_asn, url, origin, bundle_id, package_name, environment_id, suspect, bot, bot_info_category, bot_info_identity, bot_info_confidence, bot_info_provider, bot_info_name, vpn, vpn_confidence, virtual_machine, tampering, tampering_details_anti_detect_browser, incognito, privacy_settings, jailbroken, frida, factory_reset_timestamp, cloned_app, emulator, root_apps, suspect_score, developer_tools, location_spoofing, mitm_attack, rare_device, rare_device_percentile_bucket, proxy, sdk_version, sdk_platform, proximity_id, ip_blocklist_tor_node, incremental_identification_status, simulator, active_call, source) VALUES (2, 'us', '1795176004391.l2XBlh', 1795176004391, 'BqWgtH4pjKJKmbo6i0wO', NULL, 'recorded', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ae_BezfJ6dyZ3ZNpoik', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6.0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'near-2', NULL, NULL, NULL, NULL, 'device');
INSERT INTO events (seq, workspace, event_id, timestamp, identification_visitor_id, supplementary_id_high_recall_visitor_id, linked_id, ip_address, ip_info_v4_asn, ip_info_v6_asn, url, origin, bundle_id, package_name, environment_id, suspect, bot, bot_info_category, bot_info_identity, bot_info_confidence, bot_info_provider, bot_info_name, vpn, vpn_confidence, virtual_machine, tampering, tampering_details_anti_detect_browser, incognito, privacy_settings, jailbroken, frida, factory_reset_timestamp, cloned_app, emulator, root_apps, suspect_score, developer_tools, location_spoofing, mitm_attack, rare_device, rare_device_percentile_bucket, proxy, sdk_version, sdk_platform, proximity_id, ip_blocklist_tor_node, incremental_identification_status, simulator, active_call, source) VALUES (3, 'us', '1795176006868.BHEF6m', 1795176006868, '4aV09cn1GZ1s27dEi2y2', 'IcugKrF97VApYS0JhTw7', 'recorded', '4cb007107', NULL, NULL, 'https://shop.example/login', NULL, NULL, NULL, 'ae_BezfJ6dyZ3ZNpoik', NULL, 'not_detected', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0.0, NULL, NULL, NULL, NULL, NULL, NULL, '', 'js', NULL, NULL, NULL, NULL, NULL, 'device');
INSERT INTO event_bodies (seq, body) VALUES (1, '{"event_id":"1795176004391.Knq8Qc","timestamp":1795176004391,"source":"device","environment_id":"ae_BezfJ6dyZ3ZNpoik","identification":{"visitor_id":"Igop6sTrMBi3TTseoZEc","visitor_found":false},"linked_id":"recorded","tags":{"plan":1,"list":[1]},"client_referrer":"https://search.example/1","proximity":{"id":"near-1","precision_radius":10,"confidence":0.9},"vpn":true,"suspect_score":3}');
INSERT INTO event_bodies (seq, body) VALUES (2, '{"event_id":"1795176004391.l2XBlh","timestamp":1795176004391,"source":"device","environment_id":"ae_BezfJ6dyZ3ZNpoik","identification":{"visitor_id":"BqWgtH4pjKJKmbo6i0wO","visitor_found":false},"linked_id":"recorded","tags":{"plan":2,"list":[2]},"client_referrer":"https://search.example/2","proximity":{"id":"near-2","precision_radius":10,"confidence":0.9},"vpn":false,"suspect_score":6}');
INSERT INTO event_bodies (seq, body) VALUES (3, '{"velocity":{"distinct_ip":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"events":{"5_minutes":1,"1_hour":1,"24_hours":1},"ip_events":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_ip_by_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_visitor_id_by_linked_id":{"5_minutes":3,"1_hour":3,"24_hours":3}},"suspect_score":0,"event_id":"1795176006868.BHEF6m","timestamp":1795176006868,"source":"device","environment_id":"ae_BezfJ6dyZ3ZNpoik","linked_id":"recorded","sdk":{"platform":"js","version":""},"identification":{"visitor_id":"4aV09cn1GZ1s27dEi2y2","visitor_found":false,"first_seen_at":1795176006868,"last_seen_at":1795176006868,"confidence":{"score":0.25,"version":"local"}},"supplementary_id_high_recall":{"visitor_id":"IcugKrF97VApYS0JhTw7","visitor_found":false,"first_seen_at":1795176006868,"last_seen_at":1795176006868},"url":"https://shop.example/login","ip_address":"203.0.113.7","ip_info":{"v4":{"address":"203.0.113.7","geolocation":{"accuracy_radius":20,"latitude":1.35,"longitude":103.82,"timezone":"Asia/Singapore","city_name":"Singapore","country_code":"SG","country_name":"Singapore","continent_code":"AS","continent_name":"Asia"}}},"user_agent":"Mozilla/5.0 Firefox/140.0","browser_details":{"browser_name":"Firefox","browser_major_version":"140","browser_full_version":"140.0","os":"","os_version":"","device":"Other"},"bot":"not_detected"}');
INSERT INTO deliveries (seq, workspace, webhook, kind, event_id, body, state, made_at, due_at, size, written, ended_at, reason) VALUES (1, 'us', 'wh_hRCwOfdGCa0RsLmU', 'event', '1795176006868.BHEF6m', '{"velocity":{"distinct_ip":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"events":{"5_minutes":1,"1_hour":1,"24_hours":1},"ip_events":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_ip_by_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_visitor_id_by_linked_id":{"5_minutes":3,"1_hour":3,"24_hours":3}},"suspect_score":0,"event_id":"1795176006868.BHEF6m","timestamp":1795176006868,"source":"device","environment_id":"ae_BezfJ6dyZ3ZNpoik","linked_id":"recorded","sdk":{"platform":"js","version":""},"identification":{"visitor_id":"4aV09cn1GZ1s27dEi2y2","visitor_found":false,"first_seen_at":1795176006868,"last_seen_at":1795176006868,"confidence":{"score":0.25,"version":"local"}},"supplementary_id_high_recall":{"visitor_id":"IcugKrF97VApYS0JhTw7","visitor_found":false,"first_seen_at":1795176006868,"last_seen_at":1795176006868},"url":"https://shop.example/login","ip_address":"203.0.113.7","ip_info":{"v4":{"address":"203.0.113.7","geolocation":{"accuracy_radius":20,"latitude":1.35,"longitude":103.82,"timezone":"Asia/Singapore","city_name":"Singapore","country_code":"SG","country_name":"Singapore","continent_code":"AS","continent_name":"Asia"}}},"user_agent":"Mozilla/5.0 Firefox/140.0","browser_details":{"browser_name":"Firefox","browser_major_version":"140","browser_full_version":"140.0","os":"","os_version":"","device":"Other"},"bot":"not_detected"}', 'delivered', 1795176006914, NULL, 1430, 1430, 1795176009868, NULL);
INSERT INTO delivery_attempts (delivery, attempt, url, signature, at, took_ms, status, answer_headers, answer_body, error) VALUES (1, 1, 'http://127.0.0.1:45581/hook', 'v1=609ec972fffb13242549953f61eb7dfb2efd54ad271c8b4780209f74b8aeb5fc', 1795176008501, 124.8, 200, '{"date":"Mon, 23 Nov 2026 09:19:25 GMT","connection":"close","transfer-encoding":"chunked"}', '', NULL);
INSERT INTO visitors (seq, workspace, visitor_id, storage_id, device, first_seen_at, last_seen_at, high_recall) VALUES (1, 'us', '4aV09cn1GZ1s27dEi2y2', 'ZAJjUSqspyaRkaFpBBebTXJOIplaLb2P', '7b5a2591c06643c68096aadb73a2e67a28046825132c2f75e7ddab2a7d841f3f', 1795176006868, 1795176006868, 1);
INSERT INTO decisions (seq, workspace, at, environment, key, result, deny_with, rule, event_id, request, written) VALUES (1, 'us', '2026-11-20T12:00:06.914Z', 'ae_BezfJ6dyZ3ZNpoik', 'tok_thRB3rriYhF6wlPa', 'allow', NULL, NULL, '1795176006868.BHEF6m', '{"headers":{"User-Agent":["Mozilla/5.0 Firefox/140.0"]},"ip":"203.0.113.7","userAgent":"Mozilla/5.0 Firefox/140.0","sdkPlatform":"js","sdkVersion":""}', 150);
INSERT INTO decisions (seq, workspace, at, environment, key, result, deny_with, rule, event_id, request, written) VALUES (2, 'us', '2026-11-20T12:00:08.568Z', 'ae_BezfJ6dyZ3ZNpoik', 'tok_thRB3rriYhF6wlPa', 'deny', 'Forbidden', '{"id":"tr_bD5vKCYfRuTIT3Qy","name":"no-robots","expression":"http.user_agent.is_crawler_bot"}', NULL, '{"headers":{"User-Agent":["Googlebot/2.1"]},"ip":"203.0.113.7","userAgent":"Googlebot/2.1","sdkPlatform":"js","sdkVersion":""}', 369);
INSERT INTO high_recall_ids (seq, workspace, visitor_id, first_seen_at, last_seen_at) VALUES (1, 'us', 'IcugKrF97VApYS0JhTw7', 1795176006868, 1795176006868);
INSERT INTO high_recall_traces (workspace, trace, high_recall) VALUES ('us', 'b2ce27b442a01a56c1dd1f900496ef25174993305d737e05a5b892f3431d8a47', 1);
INSERT INTO dropped_rows (log, workspace, through) VALUES ('decisions', 'eu', 1);
INSERT INTO visitor_deletions (seq, workspace, visitor_id, asked_at, due_at) VALUES (1, 'us', '4aV09cn1GZ1s27dEi2y2', 1795176009794, 1795176309794);
INSERT INTO related_visitors (workspace, visitor_id, device) VALUES ('us', 'abcdefghij0123456780', 'LjSSfl2u8n0Zdi8KRBXrGdZ37lvN4I5z');
INSERT INTO related_visitors (workspace, visitor_id, device) VALUES ('us', 'abcdefghij0123456789', 'LjSSfl2u8n0Zdi8KRBXrGdZ37lvN4I5z');
