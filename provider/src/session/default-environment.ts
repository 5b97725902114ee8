import type { Client } from "@devid/sdk";

/** The given environment's ID, or that of the workspace's default environment. */
export async function environmentOrDefault(
  client: Client,
  environment: string | undefined,
): Promise<string> {
  if (environment) return environment;
  const found = await client.environments.findDefault();
  if (found) return found.id;
  throw new Error(
    `The workspace in region ${client.configuration.region} lists no environment, so there is no default one; name it with \`environment\`.`,
  );
}
