// All data sources. `npm run gen` and the adapters use whatever is exported here.
export { getDeviceReputation } from "./device-reputation";
export { getEvent, getEvents } from "./events";
export {
  getApiKey,
  getApiKeys,
  getEncryptionKey,
  getEncryptionKeys,
  getEnvironment,
  getEnvironments,
  getFilteringRules,
  getWebhook,
  getWebhooks,
} from "./objects";
