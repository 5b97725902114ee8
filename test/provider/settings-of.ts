import type { LocalWorkspace } from "../helpers/local-workspace";
import { secret } from "../helpers/plugin-host";

/** Stack config for a local service at 1,000 requests a second. */
export function settingsOf({ url, service }: LocalWorkspace) {
  return {
    "devid:endpoint": url,
    "devid:managementKey": service.workspaces.us.managementKey,
    "devid:requestsPerSecond": "1000",
  };
}

/** The same as the settings of the plugin. */
export function pluginSettingsOf({ url, service }: LocalWorkspace) {
  return {
    endpoint: url,
    managementKey: secret(service.workspaces.us.managementKey),
    requestsPerSecond: "1000",
  };
}
