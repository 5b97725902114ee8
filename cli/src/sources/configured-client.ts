import { connect } from "@devid/pulumi/state";
import type { Client } from "@devid/sdk";

/**
 * Makes a client of the workspace that the flags and the environment name.
 * @throws ConfigurationError
 */
export function configuredClient(flags: { readonly region?: string }): Client {
  const source = {
    settings: { region: flags.region },
    describe: (name: string) =>
      name === "region" ? "flag --region" : undefined,
  };
  return connect([source]);
}
