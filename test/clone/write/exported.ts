import {
  exportProgram,
  readWorkspace,
  select,
  type SelectionOptions,
} from "@devid/clone";
import { createClient, optionsFromEnvironment, type Client } from "@devid/sdk";
import type { LocalWorkspace } from "../../helpers/local-workspace";

/** A workspace of the local service, with its keys. */
export type Place = Pick<LocalWorkspace, "url" | "service">;

/** A client of a workspace of the local service, without a wait between calls. */
export function clientOf(
  workspace: Place,
  region: "us" | "eu" | "ap" = "us",
): Client {
  const settings = {
    endpoint: workspace.url,
    region,
    managementKey: workspace.service.workspaces[region].managementKey,
    requestsPerSecond: "100000",
  };
  const describe = (name: string) => `test ${name}`;
  return createClient(optionsFromEnvironment([{ settings, describe }], {}));
}

/** The result of an export of a workspace. */
export async function exported(
  workspace: Place,
  options: SelectionOptions = {},
  kept: Parameters<typeof exportProgram>[2] = {},
) {
  const client = clientOf(workspace);
  const found = select(await readWorkspace(client), options);
  return exportProgram(found, client.configuration, kept);
}
