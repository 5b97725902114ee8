import {
  exportProgram,
  readWorkspace,
  select,
  type ProgramForm,
  type SelectionOptions,
} from "@devid/pulumi/clone";
import { createClient, optionsFromEnvironment, type Client } from "@devid/sdk";
import type { LocalWorkspace } from "../../../helpers/local-workspace";

/** A client of a workspace of the local service, as fast as it answers. */
export function clientOf(
  workspace: LocalWorkspace,
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

/** What an export of a workspace writes. */
export async function exported(
  workspace: LocalWorkspace,
  options: SelectionOptions = {},
  form: Partial<ProgramForm> = {},
) {
  const client = clientOf(workspace);
  const found = select(await readWorkspace(client), options);
  return exportProgram(found, client.configuration, form);
}
