import type { Kind, Properties } from "../helpers/dynamic-host";

/** Every kind of resource. */
export const KINDS: readonly Kind[] = [
  "ApiKey",
  "EncryptionKey",
  "Environment",
  "FilteringRuleSet",
  "Webhook",
];

/** A program that gives every input of every kind; a test holds it complete. */
export const FULL_INPUTS: Readonly<Record<Kind, Properties>> = {
  ApiKey: {
    name: "Shop",
    description: "Checkout page",
    type: "secret",
    environment: "ae_first",
    status: "disabled",
    rateLimit: 5,
    rotation: "2026-10",
    adopt: { name: "Shop" },
  },
  EncryptionKey: {
    environment: "ae_first",
    name: "Results",
    description: "Seals results",
    status: "enabled",
    rotation: "2026-01",
  },
  Environment: {
    name: "Staging",
    description: "Before production",
    limitMode: "restrict",
    limitValue: 1000,
    deleteContents: ["tok_8QqDf2yEivktFwD9"],
    adopt: { id: "ae_found" },
  },
  FilteringRuleSet: {
    environment: "ae_first",
    rules: [
      {
        name: "shop",
        expression: 'sdk.version == "1.2.3"',
        action: "allow",
      },
      { name: "rest", expression: "true", action: "deny" },
    ],
    takeOver: true,
    allowEmpty: true,
    maxDeletedPercent: 100,
    onDrift: "overwrite",
    expectedInForce: `sha256:${"0".repeat(64)}`,
  },
  Webhook: {
    url: "https://shop.example/hook",
    description: "Orders",
    status: "disabled",
    environment: "ae_first",
    verify: true,
    verifyTimeoutSeconds: 5,
    replacesLegacy: "wh_legacy",
    retireLegacy: true,
    adopt: { url: "https://shop.example/hook" },
  },
};

/** Another value, equally valid, for each input of `FULL_INPUTS`. */
export const OTHER_INPUTS: Readonly<Record<Kind, Properties>> = {
  ApiKey: {
    name: "Store",
    description: "Product page",
    type: "proxy",
    environment: "ae_second",
    status: "enabled",
    rateLimit: 0.1,
    rotation: "2026-11",
    adopt: { id: "tok_found" },
  },
  EncryptionKey: {
    environment: "ae_second",
    name: "Answers",
    description: "Seals answers",
    status: "disabled",
    rotation: "2026-02",
  },
  Environment: {
    name: "Production",
    description: "Behind staging",
    limitMode: "notify",
    limitValue: 1,
    deleteContents: ["wh_7el9easEFEkdHbjk"],
    adopt: { name: "Staging" },
  },
  FilteringRuleSet: {
    environment: "ae_second",
    rules: [{ name: "rest", expression: "true", action: "deny" }],
    takeOver: false,
    allowEmpty: false,
    maxDeletedPercent: 50,
    onDrift: "fail",
    expectedInForce: `sha256:${"f".repeat(64)}`,
  },
  Webhook: {
    url: "https://store.example/hook",
    description: "Returns",
    status: "enabled",
    environment: "ae_second",
    verify: false,
    verifyTimeoutSeconds: 6,
    replacesLegacy: "wh_other",
    retireLegacy: false,
    adopt: { id: "wh_found" },
  },
};

/** Inputs whose change replaces the resource. */
export const IMMUTABLE: Readonly<Record<Kind, readonly string[]>> = {
  ApiKey: ["type", "environment", "rotation"],
  EncryptionKey: ["environment"],
  Environment: [],
  FilteringRuleSet: ["environment"],
  Webhook: [],
};

/** Inputs that the service goes on choosing, or keeps as they are, when a program leaves them out. */
export const MANAGED_IF_SET: Readonly<Record<Kind, readonly string[]>> = {
  ApiKey: ["environment", "rateLimit", "rotation"],
  EncryptionKey: ["environment", "name", "description", "status", "rotation"],
  Environment: [],
  FilteringRuleSet: ["environment"],
  Webhook: [],
};

/** Inputs that are about one operation: no difference in them is a change. */
export const SUPPRESS_DIFF: Readonly<Record<Kind, readonly string[]>> = {
  ApiKey: ["adopt"],
  EncryptionKey: [],
  Environment: ["adopt"],
  FilteringRuleSet: ["expectedInForce"],
  Webhook: ["adopt"],
};
