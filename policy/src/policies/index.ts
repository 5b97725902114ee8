import type { ResourceValidationPolicy } from "@pulumi/policy";
import { denyBlastRadius } from "./deny-blast-radius";
import { encryptionKeyProtected } from "./encryption-key-protected";
import { maxRules } from "./max-rules";
import { noDenyAll } from "./no-deny-all";
import { noSecretInPlainConfig } from "./no-secret-in-plain-config";
import { notChecked } from "./not-checked";
import { publicKeyHasRateLimit } from "./public-key-has-rate-limit";
import { ruleSetNotEmpty } from "./rule-set-not-empty";
import { webhookHttpsAndVerified } from "./webhook-https-and-verified";

/** All policies of the pack. `notChecked` comes last, because it shows what the others could not check. */
export const POLICIES: readonly ResourceValidationPolicy[] = [
  webhookHttpsAndVerified,
  publicKeyHasRateLimit,
  noSecretInPlainConfig,
  encryptionKeyProtected,
  ruleSetNotEmpty,
  maxRules,
  noDenyAll,
  denyBlastRadius,
  notChecked,
];

export {
  denyBlastRadius,
  encryptionKeyProtected,
  maxRules,
  noDenyAll,
  noSecretInPlainConfig,
  notChecked,
  publicKeyHasRateLimit,
  ruleSetNotEmpty,
  webhookHttpsAndVerified,
};
