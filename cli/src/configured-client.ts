import type { Client } from "@devid/sdk";
import { REGIONS } from "@devid/sdk/regions";
import { Option } from "commander";

/** `--region`, which wins over the environment. */
export const regionOption = (): Option =>
  new Option("--region <region>", "region of the workspace").choices([
    ...REGIONS,
  ]);

/**
 * A client of the workspace that the flags and the environment name. The SDK is
 * loaded by the call: most commands do without.
 * @throws ConfigurationError
 */
export async function configuredClient(flags: {
  readonly region?: string;
}): Promise<Client> {
  const { createClient, resolveConfiguration } = await import("@devid/sdk");
  const source = {
    settings: { region: flags.region },
    describe: (name: string) =>
      name === "region" ? "flag --region" : undefined,
  };
  return createClient(resolveConfiguration([source]));
}
