PRAGMA application_id = 1684371049;
PRAGMA user_version = 5;
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
  ) STRICT;
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
  ) STRICT;
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
CREATE INDEX deliveries_due ON deliveries (webhook, due_at) WHERE state = 'pending';
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
INSERT INTO workspace_settings (workspace, settings) VALUES ('us', '{"lookbackDays":90,"signals":"all","zeroTrust":false,"identification":true,"sealed":false,"visitorDeletion":true,"relatedVisitors":false}');
INSERT INTO drn_records (visitor_id, data, set_at) VALUES ('abcdefghij0123456789', '{}', 1795176006720);
INSERT INTO rulesets (workspace, id, rules) VALUES ('us', 'rs_1', '[]');
INSERT INTO events (seq, workspace, event_id, timestamp, identification_visitor_id, supplementary_id_high_recall_visitor_id, linked_id, ip_address, ip_info_v4_asn, ip_info_v6_asn, url, origin, bundle_id, package_name, environment_id, suspect, bot, bot_info_category, bot_info_identity, bot_info_confidence, bot_info_provider, bot_info_name, vpn, vpn_confidence, virtual_machine, tampering, tampering_details_anti_detect_browser, incognito, privacy_settings, jailbroken, frida, factory_reset_timestamp, cloned_app, emulator, root_apps, suspect_score, developer_tools, location_spoofing, mitm_attack, rare_device, rare_device_percentile_bucket, proxy, sdk_version, sdk_platform, proximity_id, ip_blocklist_tor_node, incremental_identification_status, simulator, active_call, source) VALUES (1, 'us', '1795176006956.vA6ki3', 1795176006956, 'v68WrivRAafV1plXS3wc', NULL, 'recorded', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ae_gCFqN5hMwjPl4O9T', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3.0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'near-1', NULL, NULL, NULL, NULL, 'device');
INSERT INTO events (seq, workspace, event_id, timestamp, identification_visitor_id, supplementary_id_high_recall_visitor_id, linked_id, ip_address, ip_info_v4_asn, ip_info_v6_asn, url, origin, bundle_id, package_name, environment_id, suspect, bot, bot_info_category, bot_info_identity, bot_info_confidence, bot_info_provider, bot_info_name, vpn, vpn_confidence, virtual_machine, tampering, tampering_details_anti_detect_browser, incognito, privacy_settings, jailbroken, frida, factory_reset_timestamp, cloned_app, emulator, root_apps, suspect_score, developer_tools, location_spoofing, mitm_attack, rare_device, rare_device_percentile_bucket, proxy, sdk_version, sdk_platform, proximity_id, ip_blocklist_tor_node, incremental_identification_status, simulator, active_call, source) VALUES (2, 'us', '1795176006956.LOno38', 1795176006956, '56m4XKu2Be7kM19HFecO', NULL, 'recorded', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'ae_gCFqN5hMwjPl4O9T', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6.0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'near-2', NULL, NULL, NULL, NULL, 'device');
INSERT INTO events (seq, workspace, event_id, timestamp, identification_visitor_id, supplementary_id_high_recall_visitor_id, linked_id, ip_address, ip_info_v4_asn, ip_info_v6_asn, url, origin, bundle_id, package_name, environment_id, suspect, bot, bot_info_category, bot_info_identity, bot_info_confidence, bot_info_provider, bot_info_name, vpn, vpn_confidence, virtual_machine, tampering, tampering_details_anti_detect_browser, incognito, privacy_settings, jailbroken, frida, factory_reset_timestamp, cloned_app, emulator, root_apps, suspect_score, developer_tools, location_spoofing, mitm_attack, rare_device, rare_device_percentile_bucket, proxy, sdk_version, sdk_platform, proximity_id, ip_blocklist_tor_node, incremental_identification_status, simulator, active_call, source) VALUES (3, 'us', '1795176009269.ldUrOD', 1795176009269, 'Tlvl0LHeKcTz6c2IHf1o', 'RHfob0u1vYe5osnVu7yd', 'recorded', '4cb007107', NULL, NULL, 'https://shop.example/login', NULL, NULL, NULL, 'ae_gCFqN5hMwjPl4O9T', NULL, 'not_detected', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0.0, NULL, NULL, NULL, NULL, NULL, NULL, '', 'js', NULL, NULL, NULL, NULL, NULL, 'device');
INSERT INTO event_bodies (seq, body) VALUES (1, '{"event_id":"1795176006956.vA6ki3","timestamp":1795176006956,"source":"device","environment_id":"ae_gCFqN5hMwjPl4O9T","identification":{"visitor_id":"v68WrivRAafV1plXS3wc","visitor_found":false},"linked_id":"recorded","tags":{"plan":1,"list":[1]},"client_referrer":"https://search.example/1","proximity":{"id":"near-1","precision_radius":10,"confidence":0.9},"vpn":true,"suspect_score":3}');
INSERT INTO event_bodies (seq, body) VALUES (2, '{"event_id":"1795176006956.LOno38","timestamp":1795176006956,"source":"device","environment_id":"ae_gCFqN5hMwjPl4O9T","identification":{"visitor_id":"56m4XKu2Be7kM19HFecO","visitor_found":false},"linked_id":"recorded","tags":{"plan":2,"list":[2]},"client_referrer":"https://search.example/2","proximity":{"id":"near-2","precision_radius":10,"confidence":0.9},"vpn":false,"suspect_score":6}');
INSERT INTO event_bodies (seq, body) VALUES (3, '{"velocity":{"distinct_ip":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"events":{"5_minutes":1,"1_hour":1,"24_hours":1},"ip_events":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_ip_by_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_visitor_id_by_linked_id":{"5_minutes":3,"1_hour":3,"24_hours":3}},"suspect_score":0,"event_id":"1795176009269.ldUrOD","timestamp":1795176009269,"source":"device","environment_id":"ae_gCFqN5hMwjPl4O9T","linked_id":"recorded","sdk":{"platform":"js","version":""},"identification":{"visitor_id":"Tlvl0LHeKcTz6c2IHf1o","visitor_found":false,"first_seen_at":1795176009269,"last_seen_at":1795176009269,"confidence":{"score":0.25,"version":"local"}},"supplementary_id_high_recall":{"visitor_id":"RHfob0u1vYe5osnVu7yd","visitor_found":false,"first_seen_at":1795176009269,"last_seen_at":1795176009269},"url":"https://shop.example/login","ip_address":"203.0.113.7","ip_info":{"v4":{"address":"203.0.113.7","geolocation":{"accuracy_radius":20,"latitude":1.35,"longitude":103.82,"timezone":"Asia/Singapore","city_name":"Singapore","country_code":"SG","country_name":"Singapore","continent_code":"AS","continent_name":"Asia"}}},"user_agent":"Mozilla/5.0 Firefox/140.0","browser_details":{"browser_name":"Firefox","browser_major_version":"140","browser_full_version":"140.0","os":"","os_version":"","device":"Other"},"bot":"not_detected"}');
INSERT INTO deliveries (seq, workspace, webhook, kind, event_id, body, state, made_at, due_at) VALUES (1, 'us', 'wh_xFtQxyOvU0ocYMMl', 'event', '1795176009269.ldUrOD', '{"velocity":{"distinct_ip":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"events":{"5_minutes":1,"1_hour":1,"24_hours":1},"ip_events":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_ip_by_linked_id":{"5_minutes":1,"1_hour":1,"24_hours":1},"distinct_visitor_id_by_linked_id":{"5_minutes":3,"1_hour":3,"24_hours":3}},"suspect_score":0,"event_id":"1795176009269.ldUrOD","timestamp":1795176009269,"source":"device","environment_id":"ae_gCFqN5hMwjPl4O9T","linked_id":"recorded","sdk":{"platform":"js","version":""},"identification":{"visitor_id":"Tlvl0LHeKcTz6c2IHf1o","visitor_found":false,"first_seen_at":1795176009269,"last_seen_at":1795176009269,"confidence":{"score":0.25,"version":"local"}},"supplementary_id_high_recall":{"visitor_id":"RHfob0u1vYe5osnVu7yd","visitor_found":false,"first_seen_at":1795176009269,"last_seen_at":1795176009269},"url":"https://shop.example/login","ip_address":"203.0.113.7","ip_info":{"v4":{"address":"203.0.113.7","geolocation":{"accuracy_radius":20,"latitude":1.35,"longitude":103.82,"timezone":"Asia/Singapore","city_name":"Singapore","country_code":"SG","country_name":"Singapore","continent_code":"AS","continent_name":"Asia"}}},"user_agent":"Mozilla/5.0 Firefox/140.0","browser_details":{"browser_name":"Firefox","browser_major_version":"140","browser_full_version":"140.0","os":"","os_version":"","device":"Other"},"bot":"not_detected"}', 'delivered', 1795176009291, NULL);
INSERT INTO delivery_attempts (delivery, attempt, url, signature, at, took_ms, status, answer_headers, answer_body, error) VALUES (1, 1, 'http://127.0.0.1:33803/hook', 'v1=57a389d87fe1c7bed07100328a08e49851cbf5e8e93ae6885a2eaac44a5470d1', 1795176009293, 862.8, 200, '{"date":"Mon, 23 Nov 2026 05:13:20 GMT","connection":"close","transfer-encoding":"chunked"}', '', NULL);
INSERT INTO visitors (seq, workspace, visitor_id, storage_id, device, first_seen_at, last_seen_at) VALUES (1, 'us', 'Tlvl0LHeKcTz6c2IHf1o', 'eNmRtLwX426pR2gQGVXmDbBbGpLtw5NW', '7b5a2591c06643c68096aadb73a2e67a28046825132c2f75e7ddab2a7d841f3f', 1795176009269, 1795176009269);
INSERT INTO decisions (seq, workspace, at, environment, key, result, deny_with, rule, event_id, request) VALUES (1, 'us', '2026-11-20T12:00:09.291Z', 'ae_gCFqN5hMwjPl4O9T', 'tok_BE7xsDuRGY94945n', 'allow', NULL, NULL, '1795176009269.ldUrOD', '{"headers":{"User-Agent":["Mozilla/5.0 Firefox/140.0"]},"ip":"203.0.113.7","userAgent":"Mozilla/5.0 Firefox/140.0","sdkPlatform":"js","sdkVersion":""}');
INSERT INTO decisions (seq, workspace, at, environment, key, result, deny_with, rule, event_id, request) VALUES (2, 'us', '2026-11-20T12:00:10.344Z', 'ae_gCFqN5hMwjPl4O9T', 'tok_BE7xsDuRGY94945n', 'deny', 'Forbidden', '{"id":"tr_C3CIfM0Yyvy6Wzr1","name":"no-robots","expression":"http.user_agent.is_crawler_bot"}', NULL, '{"headers":{"User-Agent":["Googlebot/2.1"]},"ip":"203.0.113.7","userAgent":"Googlebot/2.1","sdkPlatform":"js","sdkVersion":""}');
