import type { LocalWorkspace } from "../helpers/local-workspace";

/** Stack config that leads to a local service, as fast as it goes. */
export function settingsOf({ url, service }: LocalWorkspace) {
  return {
    "devid:endpoint": url,
    "devid:managementKey": service.workspaces.us.managementKey,
    "devid:requestsPerSecond": "1000",
  };
}
