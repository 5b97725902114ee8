// All data sources. `npm run gen` and the adapters use whatever is exported here.
export { getDeviceReputation } from "./device-reputation";
export { getEnvironment } from "./environment";
export { getEvent, getEvents } from "./events";
