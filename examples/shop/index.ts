import { join } from "node:path";
import * as devid from "@devid/pulumi";

// The shop is a part of the workspace, with keys, a webhook and rules of its own.
const shop = new devid.Environment("shop", { name: "Shop" });

const page = new devid.ApiKey("page", {
  name: "Shop page",
  type: "public",
  environment: shop.id,
});

const webhook = new devid.Webhook("visits", {
  url: "http://127.0.0.1:8788/webhook",
  description: "Tells the shop of each visit.",
  environment: shop.id,
});

const sealing = new devid.EncryptionKey("sealing", {
  environment: shop.id,
  name: "Shop results",
  status: "enabled",
});

new devid.FilteringRuleSet("rules", {
  environment: shop.id,
  rulesFile: join(__dirname, "rules.yaml"),
});

/** The inputs of server.mjs. All three are secrets of the stack. */
export const publicKey = page.token;
export const signingKey = webhook.signingKey;
export const sealingKeys = [sealing.token, sealing.previousToken];
