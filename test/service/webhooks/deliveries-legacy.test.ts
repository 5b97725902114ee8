import { verifyWebhook } from "@devid/sdk/webhooks";
import { beforeEach, expect, it } from "vitest";
import { CourierBench } from "./courier-bench.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";

let bench: CourierBench;
let receiver: WebhookReceiver;
beforeEach(async () => {
  bench = CourierBench.forTest().start();
  receiver = await WebhookReceiver.forTest();
});

const EVENT = {
  event_id: "1732160000000.AbC123",
  timestamp: 1_732_160_000_000,
  linked_id: "user-1",
  tags: { plan: "pro" },
  url: "https://shop.example/login",
  ip_address: "203.0.113.5",
  user_agent: "Mozilla/5.0",
  incognito: true,
  bot: "not_detected",
  vpn: false,
  vpn_confidence: "high",
  tampering: true,
  tampering_details: { anomaly_score: 0.5, anti_detect_browser: true },
  suspect_score: 7,
  identification: {
    visitor_id: "Ibk1527CUFmcnjLwIs4A",
    visitor_found: true,
    confidence: { score: 0.9 },
    last_seen_at: 1_732_150_000_000,
  },
  velocity: { events: { "5_minutes": 1, "1_hour": 2 } },
} as const;

const NO_COUNTS = { intervals: { "5m": 0, "1h": 0 } };
const NOT_FOUND = { result: false };

// contract: management-192, webhook-2, webhook-3, legacy-12, legacy-13, legacy-15
it("a legacy webhook gets the old, flat format", async () => {
  const { signing_key } = bench.webhook(receiver.url, { legacy: true });
  bench.visit(EVENT);
  const [got] = await receiver.get(1);
  expect(JSON.parse(String(got?.body))).toEqual({
    visitorId: "Ibk1527CUFmcnjLwIs4A",
    requestId: "1732160000000.AbC123",
    incognito: true,
    linkedId: "user-1",
    tag: { plan: "pro" },
    time: "2024-11-21T03:33:20.000Z",
    timestamp: 1_732_160_000_000,
    url: "https://shop.example/login",
    ip: "203.0.113.5",
    confidence: { score: 0.9 },
    visitorFound: true,
    replayed: false,
    browserDetails: {
      browserName: "",
      browserMajorVersion: "",
      browserFullVersion: "",
      os: "",
      osVersion: "",
      device: "",
      userAgent: "Mozilla/5.0",
    },
    firstSeenAt: { global: null, subscription: null },
    lastSeenAt: { global: null, subscription: "2024-11-21T00:46:40.000Z" },
    userAgent: "Mozilla/5.0",
    environmentId: bench.environment(),
    bot: { result: "notDetected" },
    vpn: {
      result: false,
      confidence: "high",
      originTimezone: "",
      originCountry: "unknown",
      mlScore: 0,
      methods: {
        timezoneMismatch: false,
        publicVPN: false,
        auxiliaryMobile: false,
        osMismatch: false,
        relay: false,
      },
    },
    tampering: {
      result: true,
      anomalyScore: 0.5,
      antiDetectBrowser: true,
      confidence: "low",
      mlScore: 0,
    },
    velocity: {
      events: { intervals: { "5m": 1, "1h": 2 } },
      ipEvents: NO_COUNTS,
      distinctIp: NO_COUNTS,
      distinctLinkedId: NO_COUNTS,
      distinctCountry: NO_COUNTS,
      distinctIpByLinkedId: NO_COUNTS,
      distinctVisitorIdByLinkedId: NO_COUNTS,
    },
    suspectScore: { result: 7 },
    sdk: { platform: "unknown", version: "" },
    rootApps: NOT_FOUND,
    emulator: NOT_FOUND,
    clonedApp: NOT_FOUND,
    factoryReset: { time: "1970-01-01T00:00:00.000Z", timestamp: 0 },
    jailbroken: NOT_FOUND,
    frida: NOT_FOUND,
    locationSpoofing: NOT_FOUND,
    mitmAttack: NOT_FOUND,
    remoteControl: NOT_FOUND,
  });
  const signature = String(got?.headers["fpjs-event-signature"]);
  const body = got?.body ?? "";
  expect(await verifyWebhook(body, signature, signing_key)).toBe(true);
  expect(got?.headers).not.toHaveProperty("authorization");
});

it("a legacy webhook does not get inactive signals either", async () => {
  bench.store.settings.set("us", "", { signals: ["bot"] });
  bench.webhook(receiver.url, { legacy: true });
  bench.visit(EVENT);
  const [got] = await receiver.get(1);
  const body = JSON.parse(String(got?.body)) as object;
  expect(body).toHaveProperty("bot");
  expect(body).not.toHaveProperty("vpn");
  expect(body).toHaveProperty("incognito", false);
});

// contract: webhook-3
it("a user name and a password are sent, but not shown in the list of deliveries", async () => {
  const basic_auth = { username: "hook", password: "pässword:1" };
  bench.webhook(receiver.url, { legacy: true, basic_auth });
  bench.visit(EVENT);
  const [got] = await receiver.get(1);
  const [, sent = ""] = (got?.headers.authorization ?? "").split(" ");
  expect(Buffer.from(sent, "base64").toString()).toBe("hook:pässword:1");
  const account = JSON.stringify(await bench.settled());
  expect(account).not.toContain("pässword");
  expect(account).not.toContain(sent);
});
