// All data sources. `npm run gen` and the adapters use whatever is exported here.
export { getApiKey, getApiKeys } from "./api-keys";
export { getDeviceReputation } from "./device-reputation";
export { getEncryptionKey, getEncryptionKeys } from "./encryption-keys";
export { getEnvironment, getEnvironments } from "./environments";
export { getEvent, getEvents } from "./events";
export { getFilteringRules } from "./filtering-rules";
export { getLegacyEvent } from "./legacy-events";
export { getWebhook, getWebhooks } from "./webhooks";
