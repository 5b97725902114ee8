export type { KeysFile, WorkspaceKeys } from "./keys";
export type { LogLevel, ServiceOptions } from "./service-options";
export { REGIONS, type Region } from "@devid/sdk/wire";
export { ServiceError, StartError } from "./service-errors";
export { startService, type Service, type Workspace } from "./start-service";
