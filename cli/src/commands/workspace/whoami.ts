import { visibleText } from "@devid/rules";
import type { Client, KeyOrigin } from "@devid/sdk";
import { Command } from "commander";
import { jsonOption, regionOption } from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";

/**
 * The output of `devid whoami`. It says where each key was found, and never
 * shows a key.
 */
interface Identity {
  readonly region: string;
  readonly managementUrl: string;
  readonly apiVersion: string;
  readonly managementKey: string;
  readonly secretKey: string;
  readonly eventsUrl: string;
  readonly drnUrl: string;
  readonly environments: readonly {
    readonly id: string;
    readonly name: string;
    readonly isDefault: boolean;
  }[];
}

/** `devid whoami`: shows which workspace the configured keys reach. */
export function whoami(): Command {
  return new Command("whoami")
    .addOption(regionOption())
    .addOption(jsonOption())
    .action(async ({ region, json }: { region?: string; json?: boolean }) => {
      const identity = await identify(await configuredClient({ region }));
      process.stdout.write(
        json ? `${JSON.stringify(identity, undefined, 2)}\n` : text(identity),
      );
    });
}

async function identify(client: Client): Promise<Identity> {
  const environments = [];
  for await (const environment of client.environments.listAll())
    environments.push(environment);
  const oldest = client.environments.defaultOf(environments);
  const { configuration } = client;
  const from = (key: KeyOrigin | undefined) =>
    key ? `from ${key.from}` : "not set";
  return {
    region: configuration.region,
    managementUrl: configuration.managementUrl,
    apiVersion: configuration.apiVersion,
    managementKey: from(configuration.managementKey),
    secretKey: from(configuration.secretKey),
    eventsUrl: configuration.eventsUrl,
    drnUrl: configuration.drnUrl,
    environments: environments.map(({ id, name }) => ({
      id,
      name,
      isDefault: id === oldest?.id,
    })),
  };
}

function text(identity: Identity): string {
  const rows: [string, string][] = [
    ["Region", identity.region],
    [
      "Management API",
      `${identity.managementUrl} (version ${identity.apiVersion})`,
    ],
    ["Management key", `${identity.managementKey}, accepted`],
    ["Events API", identity.eventsUrl],
    ["Device reputation", identity.drnUrl],
    ["Secret key", identity.secretKey],
    ...identity.environments.map((environment, index): [string, string] => [
      index === 0 ? "Environments" : "",
      `${environment.id}  ${environment.name}${environment.isDefault ? " (default)" : ""}`,
    ]),
  ];
  return rows
    .map(([name, value]) => `${name.padEnd(18)} ${visibleText(value)}\n`)
    .join("");
}
