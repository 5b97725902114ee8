import { join } from "node:path";
import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";

// A part of the workspace for the staging shop: its own keys, webhook and rules.
const staging = new devid.Environment("staging", {
  name: "Staging",
  description: "The shop before each release.",
});

const browserKey = new devid.ApiKey("shop-browser", {
  name: "Shop browser",
  type: "public",
  environment: staging.id,
});

const serverKey = new devid.ApiKey("shop-server", {
  name: "Shop server",
  description: "Reads events in the checkout service.",
  type: "secret",
  environment: staging.id,
  rateLimit: 20,
});

const webhook = new devid.Webhook("fraud-team", {
  url: "https://hooks.shop.example/identified",
  description: "Feeds the fraud team's queue.",
  environment: staging.id,
});

// An unverified webhook gets no events. With `verify: true` in stack config, an update waits
// until the address has answered a test event.
if (new pulumi.Config().getBoolean("verify"))
  new devid.WebhookVerification("fraud-team", {
    webhookId: webhook.id,
    url: webhook.url,
  });

// The environment has an encryption key already; this adopts and activates it.
const sealing = new devid.EncryptionKey("sealing", {
  environment: staging.id,
  name: "Staging results",
  status: "enabled",
  rotation: "2026-01",
});

const rules = new devid.FilteringRuleSet("rules", {
  environment: staging.id,
  rulesFile: join(__dirname, "rules.yaml"),
});

export const environment = staging.id;
/** The key of the agent in the shop's pages. It is a secret output, like every token. */
export const browserToken = browserKey.token;
export const serverKeyId = serverKey.id;
export const serverToken = serverKey.token;
export const webhookSigningKey = webhook.signingKey;
export const sealingKey = sealing.token;
export const ruleIds = rules.ruleIds;
