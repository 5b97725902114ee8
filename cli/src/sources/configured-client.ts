import { createClient, optionsFromEnvironment, type Client } from "@devid/sdk";

/** A client of the workspace of flags and environment. @throws ConfigurationError */
export function configuredClient(flags: { readonly region?: string }): Client {
  const source = {
    settings: { region: flags.region },
    describe: (name: string) =>
      name === "region" ? "flag --region" : undefined,
  };
  return createClient(optionsFromEnvironment([source]));
}
