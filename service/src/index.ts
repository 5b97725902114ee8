

export type { KeysFile, WorkspaceKeys } from "./keys";
export type { LogLevel, ServiceOptions } from "./service-options";
export { REGIONS, type Region } from "@devid/sdk/regions";
export type { Service, Workspace } from "./start-service";
export { ServiceError } from "./service-errors";
export { StartError } from "./service-errors";
export { startService } from "./start-service";
