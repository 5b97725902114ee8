import type * as registry from "./registry";

/** Loads the definition of each kind: a host of one kind loads no other. */
export const loadKind = {
  ApiKey: async () => (await import("./resources/api-key.js")).ApiKey,
  EncryptionKey: async () =>
    (await import("./resources/encryption-key.js")).EncryptionKey,
  Environment: async () =>
    (await import("./resources/environment/environment.js")).Environment,
  FilteringRuleSet: async () =>
    (await import("./resources/filtering-rule-set/filtering-rule-set.js"))
      .FilteringRuleSet,
  Webhook: async () => (await import("./resources/webhook/webhook.js")).Webhook,
  WebhookVerification: async () =>
    (await import("./resources/webhook-verification.js")).WebhookVerification,
} satisfies Record<keyof typeof registry, unknown>;
