import type { Client } from "@devid/sdk";

/**
 * A client of the workspace that the flags and the environment name. The SDK is
 * loaded by the call: most commands do without.
 * @throws ConfigurationError
 */
export async function configuredClient(flags: {
  readonly region?: string;
}): Promise<Client> {
  const { createClient, optionsFromEnvironment } = await import("@devid/sdk");
  const source = {
    settings: { region: flags.region },
    describe: (name: string) =>
      name === "region" ? "flag --region" : undefined,
  };
  return createClient(optionsFromEnvironment([source]));
}
