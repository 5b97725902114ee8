import {
  EVENT_SEARCH_PARAMETERS,
  type SearchParameter,
} from "@devid/sdk/wire/events";
import { createDecipheriv, createHmac } from "node:crypto";
import { runInThisContext } from "node:vm";
import { inflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addedLines } from "../../helpers/official-clients-page.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import type { Received } from "../../sdk/http/plain-server.js";
import { LEGACY_SEARCH_PARAMETERS } from "../../../service/src/server-api/version-3-until-2027-01-07/legacy-schemas";
import { FULL_EVENT, NOW } from "./legacy/legacy-calls.js";
import { sendAs, VENDOR_CLIENTS } from "./vendor-clients.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests({}, NOW);

const ID = FULL_EVENT.event_id;

/** An event that matches every filter of the recorded searches. */
const EVENT = {
  ...FULL_EVENT,
  source: "edge",
  incremental_identification_status: "completed",
  linked_id: "ü&=+ %/#",
  sdk: { platform: "js", version: "4.1.5" },
  supplementary_id_high_recall: {
    visitor_id: "recall-1",
    visitor_found: true,
  },
  url: "https://shop.example/a?b=1#c",
  origin: "https://shop.example",
  bundle_id: "com.x",
  package_name: "com.y",
  ip_address: "203.0.113.7",
  ip_info: {
    v4: { address: "203.0.113.7", asn: "64500", datacenter_result: true },
  },
  bot: "good",
  bot_info: {
    category: "ai_agent",
    provider: "Open AI",
    name: "a",
    identity: "signed",
    confidence: "high",
  },
  vpn_confidence: "high",
  incognito: false,
  location_spoofing: false,
  rare_device_percentile_bucket: "<p95",
  proxy: false,
  proximity: { id: "p", precision_radius: 10, confidence: 1 },
  simulator: false,
  active_call: false,
};

const joined = (lines: string) => lines.trim().split(/\s+/).join("&");

/** Every filter of version 4, in the spelling of the Node client. */
const FILTERS = joined(`
  limit=10 visitor_id=visitor-1 high_recall_id=recall-1 bot=good bot_info=all
  bot_info_category=ai_agent bot_info_category=ai_assistant
  bot_info_identity=verified bot_info_identity=signed bot_info_confidence=high
  bot_info_confidence=medium bot_info_provider=Open+AI
  bot_info_provider=x%26y%3Dz bot_info_name=a bot_info_name=b
  ip_address=203.0.113.0%2F24 asn=64500 linked_id=%C3%BC%26%3D%2B+%25%2F%23
  url=https%3A%2F%2Fshop.example%2Fa%3Fb%3D1%23c bundle_id=com.x
  package_name=com.y origin=https%3A%2F%2Fshop.example start=1780300000000
  end=2026-06-02T12%3A00%3A00.000Z reverse=true suspect=false vpn=true
  virtual_machine=false tampering=false anti_detect_browser=false
  incognito=false privacy_settings=false jailbroken=false frida=false
  factory_reset=false cloned_app=false emulator=false root_apps=false
  vpn_confidence=high min_suspect_score=0.5 developer_tools=true
  location_spoofing=false mitm_attack=false rare_device=true
  rare_device_percentile_bucket=%3Cp95 proxy=false sdk_version=4.1.5
  sdk_platform=js environment={environment} environment=ae_other
  proximity_id=p total_hits=100 tor_node=false
  incremental_identification_status=completed simulator=false source=edge
  active_call=false
`);

/** Every filter of version 3. The Node client spells `environment` differently. */
const LEGACY_FILTERS = joined(`
  limit=10 visitor_id=visitor-1 bot=good ip_address=203.0.113.0%2F24
  linked_id=%C3%BC%26%3D%2B+%25%2F%23 start=1780300000000 end=1780401600000
  reverse=true suspect=false vpn=true virtual_machine=false tampering=false
  anti_detect_browser=false incognito=false privacy_settings=false
  jailbroken=false frida=false factory_reset=false cloned_app=false
  emulator=false root_apps=false vpn_confidence=high min_suspect_score=0.5
  ip_blocklist=true datacenter=true developer_tools=true
  location_spoofing=false mitm_attack=false rare_device=true
  rare_device_percentile_bucket=%3Cp95 proxy=false sdk_version=4.1.5
  sdk_platform=js environment={environment} environment=ae_other
  proximity_id=p proximity_precision_radius=10
`);

const store = (event: object) =>
  local.controlCall("POST", "/us/events", { body: [event] });

const enable = (setting: string) => local.set({ [setting]: true });

/** Sends a request like a client; `{environment}` is the default environment. */
const call = (
  client: keyof typeof VENDOR_CLIENTS,
  line: string,
  body?: string,
  key = local.service.workspaces.us.secretKey,
) =>
  sendAs(VENDOR_CLIENTS[client], {
    host: new URL(local.service.url).host,
    key,
    line: line.replaceAll(
      "{environment}",
      local.service.workspaces.us.environment,
    ),
    body,
  });

describe.each([
  {
    client: "node",
    ii: "ii=fingerprint-pro-server-node-sdk%2F7.7.1",
    every: FILTERS,
    body: '{"linked_id":"order-2 ü","tags":{"a":[1,{"b":null}]},"suspect":true}',
  },
  {
    client: "python",
    ii: "ii=fingerprint-pro-server-python-sdk/9.9.0",
    every: FILTERS.replaceAll("%2F", "/")
      .replaceAll("+", "%20")
      .replace(".000Z", ".000000%2B00%3A00"),
    body: '{"linked_id": "order-2 \\u00fc", "tags": {"a": [1, {"b": null}]}, "suspect": true}',
  },
] as const)("the vendor's $client client, version 4", (sent) => {
  const { client, ii, every, body } = sent;
  beforeEach(() => store(EVENT));
  const get = (query = "") =>
    call(client, `GET /us/v4/events/${ID}?${query}${ii}`);

  it("reads an event, and the rule action of a ruleset", async () => {
    const found = await get();
    expect([found.status, found.body]).toMatchObject([200, EVENT]);
    // The Node client refuses an answer without this type.
    expect(found.headers.get("content-type")).toContain("application/json");
    const rules = [{ id: "r1", expression: "true", action: { type: "block" } }];
    await local.control("/us/rulesets", { id: "rs_1", rules });
    const rule_action = { type: "block", ruleset_id: "rs_1", rule_id: "r1" };
    expect((await get("ruleset_id=rs_1&")).body).toMatchObject({ rule_action });
  });

  it("searches with every filter and with none", async () => {
    const found = await call(client, `GET /us/v4/events?${every}&${ii}`);
    const page = { events: [{ event_id: ID }], total_hits: 1 };
    expect([found.status, found.body]).toMatchObject([200, page]);
    const devices = await call(client, `GET /us/v4/events?${ii}`);
    expect([devices.status, devices.body]).toEqual([200, { events: [] }]);
  });

  it("changes an event", async () => {
    const line = `PATCH /us/v4/events/${ID}?${ii}`;
    const changed = await call(client, line, body);
    expect([changed.status, changed.text]).toEqual([200, ""]);
    expect((await get()).body).toMatchObject({
      linked_id: "order-2 ü",
      tags: { a: [1, { b: null }] },
      suspect: true,
    });
    expect((await call(client, line, "{}")).status).toBe(200);
  });

  it("deletes a visitor if that is enabled", async () => {
    const line = `DELETE /us/v4/visitors/visitor-1?${ii}`;
    const refused = await call(client, line);
    expect(refused.refusal).toEqual([403, "feature_not_enabled"]);
    await enable("visitorDeletion");
    const { status, text } = await call(client, line);
    expect([status, text]).toEqual([200, ""]);
  });

  it("gets published error codes", async () => {
    const other = "/us/v4/events/1780315200000.unknown";
    const mine = `GET /us/v4/events/${ID}`;
    const { secretKey } = local.service.workspaces.eu;
    for (const [line, sent, key, status, code] of [
      [`GET ${other}`, undefined, undefined, 404, "event_not_found"],
      [`PATCH ${other}`, body, undefined, 404, "event_not_found"],
      [mine, undefined, "unknown", 403, "secret_api_key_not_found"],
      [mine, undefined, secretKey, 403, "wrong_region"],
    ] as const) {
      const { refusal } = await call(client, `${line}?${ii}`, sent, key);
      expect(refusal).toEqual([status, code]);
    }
  });
});

describe.each([
  {
    client: "legacyNode",
    query: (filters: string) =>
      `${filters}&ii=fingerprint-pro-server-node-sdk%2F6.13.1`,
    every: LEGACY_FILTERS.replaceAll(/&environment=[^&]*/g, ""),
    body: '{"linkedId":"order-3 ü","tag":{"a":1},"suspect":true}',
  },
  {
    client: "legacyNodeQuery",
    query: (filters: string) =>
      `${filters}&ii=fingerprint-pro-server-node-sdk%2F6.13.1&api_key=local-secret-us`,
    every: "limit=10&sdk_version=4.1.5",
    body: '{"linkedId":"order-3 ü","tag":{"a":1},"suspect":true}',
  },
  {
    client: "legacyPython",
    query: (filters: string) =>
      `ii=fingerprint-pro-server-python-sdk%2F8.15.1&${filters}`,
    every: LEGACY_FILTERS.replaceAll("=true", "=True").replaceAll(
      "=false",
      "=False",
    ),
    body: '{"linkedId": "order-3 \\u00fc", "tag": {"a": 1}, "suspect": true}',
  },
] as const)("the vendor's $client client, version 3", (sent) => {
  const { client, query, every, body } = sent;
  beforeEach(() => store({ ...EVENT, source: "device" }));
  const target = (path: string, filters = "") =>
    `/us/${path}?${query(filters)}`.replace(/([?&])&/, "$1").replace(/&$/, "");
  const found = {
    products: { identification: { data: { requestId: ID } } },
  };

  it("reads and changes an event", async () => {
    const line = target(`events/${ID}`);
    const { status, body: event } = await call(client, `GET ${line}`);
    expect([status, event]).toMatchObject([200, found]);
    const changed = await call(client, `PUT ${line}`, body);
    expect([changed.status, changed.text]).toEqual([200, ""]);
    const data = { linkedId: "order-3 ü", tag: { a: 1 }, suspect: true };
    expect((await call(client, `GET ${line}`)).body).toMatchObject({
      products: { identification: { data } },
    });
  });

  // contract: events-99
  it("searches with every filter", async () => {
    const search = `GET ${target("events/search", every)}`;
    const { status, body } = await call(client, search);
    expect([status, body]).toMatchObject([200, { events: [found] }]);
    const others = search.replaceAll("sdk_version=4.1.5", "sdk_version=4.1.6");
    expect((await call(client, others)).body).toEqual({ events: [] });
  });

  it("deletes a visitor if that is enabled", async () => {
    const line = `DELETE ${target("visitors/visitor-1")}`;
    // The Python client also sends an empty object.
    const sent = client === "legacyPython" ? "{}" : undefined;
    const refused = await call(client, line, sent);
    expect(refused.refusal).toEqual([403, "FeatureNotEnabled"]);
    await enable("visitorDeletion");
    const { status, text } = await call(client, line, sent);
    expect([status, text]).toEqual([200, ""]);
  });

  it("lists the related visitors if that is enabled", async () => {
    const line = `GET ${target("related-visitors", "visitor_id=visitor-1")}`;
    const refused = await call(client, line);
    expect(refused.refusal).toEqual([403, "FeatureNotEnabled"]);
    await enable("relatedVisitors");
    const { status, body } = await call(client, line);
    expect([status, body]).toEqual([200, { relatedVisitors: [] }]);
  });

  it("lists the visits of a visitor", async () => {
    const filters = `request_id=${ID}&linked_id=%C3%BC%26%3D%2B+%25%2F%23&limit=5&before=1780401600000`;
    const line = `GET ${target("visitors/visitor-1", filters)}`;
    const { status, body } = await call(client, line);
    const visits = [{ requestId: ID }];
    const wanted = { visitorId: "visitor-1", visits };
    expect([status, body]).toMatchObject([200, wanted]);
  });
});

describe("docs/official-clients.md", () => {
  beforeEach(() => store(EVENT));

  it("gives the Node client a fetch that reaches the local service", async () => {
    const [line = ""] = addedLines("Node", local.service.url);
    const { fetch } = runInThisContext(`({${line}})`) as typeof globalThis;
    const { secretKey } = local.service.workspaces.us;
    const answer = await fetch(`https://api.example/v4/events/${ID}?ii=x`, {
      headers: { Authorization: `Bearer ${secretKey}` },
    });
    expect(await answer.json()).toMatchObject({ event_id: ID });
  });

  it("gives the Python clients an address for each version", async () => {
    const { url, workspaces } = local.service;
    const [host, legacyHost] = addedLines("Python", url).map(
      (line) => /host ?= ?"(.*)"/.exec(line)?.[1],
    );
    const found = await fetch(`${host}/events/${ID}`, {
      headers: { Authorization: `Bearer ${workspaces.us.secretKey}` },
    });
    expect(await found.json()).toMatchObject({ event_id: ID });
    const legacy = await fetch(`${legacyHost}/events/${ID}`, {
      headers: { "Auth-API-Key": workspaces.us.secretKey },
    });
    expect(await legacy.json()).toHaveProperty("products");
  });
});

/** The names of the boolean parameters. */
function booleansOf(table: Readonly<Record<string, SearchParameter>>) {
  return Object.entries(table).flatMap(([name, { kind }]) =>
    kind === "boolean" ? [name] : [],
  );
}

it.each([
  ["v4/events", "Authorization", EVENT_SEARCH_PARAMETERS],
  ["events/search", "Auth-API-Key", LEGACY_SEARCH_PARAMETERS],
] as const)(
  "True and False in %s mean the same as true and false",
  async (path, keyHeader, table) => {
    await store({ ...EVENT, source: "device" });
    const { url, workspaces } = local.service;
    const key = workspaces.us.secretKey;
    const found = async (query: string) => {
      const value = keyHeader === "Authorization" ? `Bearer ${key}` : key;
      const headers = { [keyHeader]: value };
      const address = `${url}/us/${path}?limit=9&${query}`;
      const answer = await fetch(address, { headers });
      expect(answer.status, query).toBe(200);
      return answer.json() as Promise<unknown>;
    };
    const names = booleansOf(table);
    expect(names.length).toBeGreaterThan(19);
    for (const name of names) {
      const yes = await found(`${name}=True`);
      const no = await found(`${name}=False`);
      expect([yes, no]).toEqual([
        await found(`${name}=true`),
        await found(`${name}=false`),
      ]);
      if (name in EVENT) expect(yes).not.toEqual(no);
    }
  },
);

it("the Node client's search of version 3 by environment is refused because of its brackets", async () => {
  const line =
    "GET /us/events/search?limit=10&environment%5B%5D={environment}&environment%5B%5D=ae_other&ii=fingerprint-pro-server-node-sdk%2F6.13.1";
  const answer = await call("legacyNode", line);
  expect(answer.refusal).toEqual([400, "RequestCannotBeParsed"]);
  expect(answer.error.message).toContain("environment[]");
});

/** Makes an event with a page's request. */
async function identify() {
  const { publicKey } = local.service.workspaces.us;
  const body = { publicKey, url: EVENT.url, linkedId: "ü" };
  const answer = await local.controlCall("POST", "/identify/us", { body });
  return answer.body as { event_id: string; sealed_result?: string };
}

/** One of the header's `v1` values must be the HMAC of the body. */
const isValid = ({ headers, body }: Received, secret: string) =>
  String(headers["fpjs-event-signature"])
    .split(",")
    .map((signature) => signature.split("="))
    .some(
      ([version, hash]) =>
        version === "v1" &&
        hash === createHmac("sha256", secret).update(body).digest("hex"),
    );

it.each([
  { format: "new", legacy: false },
  { format: "old", legacy: true },
])(
  "a webhook receiver with the vendor's signature check accepts deliveries in the $format format",
  async ({ legacy }) => {
    const receiver = await WebhookReceiver.forTest();
    const hook = { url: receiver.url, status: "enabled" };
    const made = legacy
      ? await local.control("/us/webhooks", { ...hook, legacy, verified: true })
      : await local.make("/webhooks", hook);
    const webhook = made as { id: string; signing_key: string };
    if (!legacy) {
      await local.us("POST", `/webhooks/${webhook.id}/verification`);
      await vi.waitFor(async () => {
        const { data } = await local.us("GET", `/webhooks/${webhook.id}`);
        expect(data).toMatchObject({ verified: true });
      }, 10_000);
    }
    const { event_id } = await identify();
    const received = await receiver.get(legacy ? 1 : 2);
    for (const delivery of received) {
      expect(isValid(delivery, webhook.signing_key)).toBe(true);
      expect(isValid(delivery, "another")).toBe(false);
    }
    const sent: unknown = JSON.parse(String(received.at(-1)?.body));
    const old = { requestId: event_id, linkedId: "ü", tag: {} };
    expect(sent).toMatchObject(legacy ? old : { event_id, linked_id: "ü" });
  },
);

it("a sealed result, opened like in the vendor's clients, is the event, with the token of the encryption key", async () => {
  const [key] = (await local.us("GET", "/encryption-keys")).list;
  const path = `/encryption-keys/${key?.id}`;
  await local.call("PATCH", path, { status: "enabled" });
  const { event_id, sealed_result = "" } = await identify();
  const sealed = Buffer.from(sealed_result, "base64");
  expect(sealed.subarray(0, 4).toString("hex")).toBe("9e85dced");
  const token = Buffer.from(String(key?.token), "base64");
  const nonce = sealed.subarray(4, 16);
  const decipher = createDecipheriv("aes-256-gcm", token, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const opened = decipher.update(sealed.subarray(16, -16));
  const packed = Buffer.concat([opened, decipher.final()]);
  const event: unknown = JSON.parse(inflateRawSync(packed).toString());
  expect(event).toMatchObject({
    event_id,
    timestamp: expect.any(Number) as number,
  });
});
