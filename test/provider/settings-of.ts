import type { LocalWorkspace } from "../helpers/local-workspace";

/** Stack config for a local service at 1,000 requests a second. */
export function settingsOf({ url, service }: LocalWorkspace) {
  return {
    "devid:endpoint": url,
    "devid:managementKey": service.workspaces.us.managementKey,
    "devid:requestsPerSecond": "1000",
  };
}
