import type { Client } from "@devid/sdk";

/**
 * Makes a client of the workspace that the flags and the environment name. It
 * loads the SDK only when it is called, because most commands do not need the
 * SDK.
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
