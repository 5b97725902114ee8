// The tokens and keys of this stack, for the applications that need them. They
// are secrets in its state: `pulumi stack output NAME --show-secrets` reads one.
import * as devid from "@devid/pulumi";
import * as apiKeys from "./api-keys";
import * as webhooks from "./webhooks";
import * as encryptionKeys from "./encryption-keys";

export const defaultShopBrowserToken = devid.ifKnown(apiKeys.shopBrowser.token);
export const shopServerToken = devid.ifKnown(apiKeys.shopServer.token);
export const stagingBrowserToken = devid.ifKnown(apiKeys.stagingBrowser.token);
export const hooksShopExampleFraudSigningKey = devid.ifKnown(
  webhooks.hooksShopExampleFraud.signingKey,
);
export const defaultEncryptionKeyToken = devid.ifKnown(
  encryptionKeys.defaultKey.token,
);
export const stagingEncryptionKeyToken = devid.ifKnown(
  encryptionKeys.staging.token,
);
