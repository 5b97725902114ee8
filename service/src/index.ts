export type { KeysFile, WorkspaceKeys } from "./keys";
export type { LogLevel, ServiceOptions } from "./options";
export { REGIONS, type Region } from "@devid/sdk";
export type { Service, Workspace } from "./service";
export { ServiceError } from "./service-error";
export { StartError } from "./start-error";
export { startService } from "./start-service";
