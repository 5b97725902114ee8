import type { Client } from "@devid/sdk";
import { findEnvironment } from "./live-rules";
import { UsageError } from "./usage-error";

/**
 * ID of the environment whose events are meant: that of an ID or a name, by
 * default the default environment. Without a management key only an ID can be
 * told, and without one events of every environment that the key sees are meant.
 * @throws UsageError; the errors of the client
 */
export async function eventEnvironment(
  client: Client,
  idOrName: string | undefined,
): Promise<string | undefined> {
  if (client.configuration.managementKey)
    return (await findEnvironment(client, idOrName)).id;
  if (idOrName === undefined || idOrName.startsWith("ae_")) return idOrName;
  throw new UsageError(
    `The environment "${idOrName}" takes a management key to look up. Configure one, or name the environment by its ID.`,
  );
}
