import {
  encryptionKeyProtected,
  publicKeyHasRateLimit,
  webhookHttpsAndVerified,
} from "@devid/policy/policies";
import { checkStack } from "@devid/policy/testing";
import { describe, expect, it } from "vitest";
import { ask, UNKNOWN } from "./ask";

describe("webhook-https-and-verified", () => {
  const webhook = (inputs: Record<string, unknown>, config = {}) =>
    ask(webhookHttpsAndVerified, { kind: "Webhook", inputs, config });
  const url = "https://hooks.example/a";

  it.each([
    ["https", { url }],
    ["not known yet", { url: UNKNOWN }],
  ])("passes a webhook whose address is %s", async (_, inputs) => {
    expect(await webhook(inputs)).toEqual([]);
  });

  it.each([
    ["http", { url: "http://hooks.example/a" }],
    ["http to this machine", { url: "http://127.0.0.1/a" }],
    ["without an address", {}],
  ])("stops a webhook that is %s", async (_, inputs) => {
    expect(await webhook(inputs)).toEqual([
      expect.stringContaining("https://"),
    ]);
  });

  it.each([
    ["refers to it", { url: UNKNOWN }, { webhookId: ["hook"] }],
    ["names its ID and its address", { webhookId: "wh_1", url }, {}],
  ])("passes a webhook if a verification %s", async (_, inputs, from) => {
    const said = await checkStack(webhookHttpsAndVerified, [
      { name: "hook", kind: "Webhook", inputs: { url } },
      { name: "verified", kind: "WebhookVerification", inputs, from },
    ]);
    expect(said).toEqual({});
  });

  it("stops a webhook without a verification of its own", async () => {
    const said = await checkStack(webhookHttpsAndVerified, [
      { name: "hook", kind: "Webhook", inputs: { url } },
      { name: "other", kind: "Webhook", inputs: { url: `${url}/2` } },
      {
        name: "verified",
        kind: "WebhookVerification",
        inputs: { url: `${url}/2` },
        from: { webhookId: ["other"] },
      },
    ]);
    expect(said).toEqual({
      hook: [expect.stringContaining("Declare a WebhookVerification of it")],
    });
  });

  it("allows http on this machine if configured, but on no other machine", async () => {
    const config = { allowLoopback: true };
    const local = { url: "http://localhost:1/a" };
    expect(await webhook(local, config)).toEqual([]);
    const remote = { url: "http://hooks.example/a" };
    expect(await webhook(remote, config)).toHaveLength(1);
  });

  it("prints no part of the address", async () => {
    const inputs = { url: "http://user:pass@hooks.example/?token=abc" };
    const said = (await webhook(inputs)).join("\n");
    expect(said).not.toMatch(/user|pass@|token=|hooks\.example/);
  });

  it("ignores other resources", async () => {
    const inputs = { url: "http://hooks.example" };
    for (const type of ["aws:sns/topic:Topic", "pulumi:pulumi:Stack"])
      expect(await ask(webhookHttpsAndVerified, { type, inputs })).toEqual([]);
  });
});

describe("public-key-has-rate-limit", () => {
  const key = (inputs: Record<string, unknown>, config = {}) =>
    ask(publicKeyHasRateLimit, { kind: "ApiKey", inputs, config });

  it.each([
    ["at the limit", { type: "public", rateLimit: 100 }],
    ["not known yet", { type: "public", rateLimit: UNKNOWN }],
    ["of another type", { type: "secret" }],
    ["of a type not known yet", { type: UNKNOWN }],
  ])("passes a key %s", async (_, inputs) => {
    expect(await key(inputs)).toEqual([]);
  });

  it("stops a key without a rate limit", async () => {
    expect(await key({ type: "public" })).toEqual([
      expect.stringContaining("Set rateLimit to at most 100."),
    ]);
  });

  it("stops a key above the configured limit", async () => {
    expect(await key({ type: "public", rateLimit: 10.5 }, { max: 10 })).toSay(
      "policy/rate-limit-too-high",
    );
  });
});

it("encryption-key-protected stops a key that is not protected, and passes a protected key", async () => {
  const kind = "EncryptionKey";
  expect(await ask(encryptionKeyProtected, { kind, protect: true })).toEqual(
    [],
  );
  expect(await ask(encryptionKeyProtected, { kind })).toEqual([
    expect.stringContaining("protect: true"),
  ]);
});
