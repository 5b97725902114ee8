// The definition of each kind of resource. `npm run gen` makes classes and pages from them.
export { ApiKey } from "./resources/api-key";
export { EncryptionKey } from "./resources/encryption-key";
export { Environment } from "./resources/environment/environment";
export { FilteringRuleSet } from "./resources/filtering-rule-set/filtering-rule-set";
export { Webhook } from "./resources/webhook/webhook";
export { WebhookVerification } from "./resources/webhook-verification";
