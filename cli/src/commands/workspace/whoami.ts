import { visibleText } from "@devid/rules";
import {
  isDevidError,
  type Client,
  type DevidError,
  type KeyOrigin,
} from "@devid/sdk";
import { Command } from "commander";
import { jsonOption, regionOption } from "../../flags/shared-options";
import { EXIT } from "../../output/report-error";
import { configuredClient } from "../../sources/configured-client";
import { jsonReport } from "../../output/write-output";

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
  /** Absent where there is no secret key. */
  readonly isSecretKeyAccepted?: boolean;
  readonly eventsUrl: string;
  readonly drnUrl: string;
  readonly environments: readonly {
    readonly id: string;
    readonly name: string;
    readonly isDefault: boolean;
  }[];
}

/** Errors that mean that a key was refused; others tell nothing of it. */
const REFUSALS = [
  "SecretKeyError",
  "WrongRegionError",
  "ForbiddenError",
  "SubscriptionNotActiveError",
] as const;

/** `devid whoami`: shows which workspace the configured keys reach. */
export function whoami(): Command {
  return new Command("whoami")
    .addOption(regionOption())
    .addOption(jsonOption())
    .action(async ({ region, json }: { region?: string; json?: boolean }) => {
      const client = await configuredClient({ region });
      const refusal = await secretKeyRefusal(client);
      const identity = await identify(client, refusal === undefined);
      process.stdout.write(json ? jsonReport(identity) : text(identity));
      if (refusal === undefined) return;
      process.stderr.write(`devid: ${refusal.message}\n`);
      process.exitCode = EXIT.error;
    });
}

/**
 * Why the service refuses the secret key; undefined where it takes it, and where there
 * is none. It is asked for the events of the last second, because no call is for this.
 */
async function secretKeyRefusal(
  client: Client,
): Promise<DevidError | undefined> {
  if (client.configuration.secretKey === undefined) return undefined;
  const end = Date.now();
  try {
    await client.events.search({ limit: 1, start: end - 1_000, end });
    return undefined;
  } catch (error) {
    for (const name of REFUSALS) if (isDevidError(error, name)) return error;
    throw error;
  }
}

async function identify(
  client: Client,
  isSecretKeyAccepted: boolean,
): Promise<Identity> {
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
    ...(configuration.secretKey && { isSecretKeyAccepted }),
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
    ["Secret key", secretKeyText(identity)],
    ...identity.environments.map((environment, index): [string, string] => [
      index === 0 ? "Environments" : "",
      `${environment.id}  ${environment.name}${environment.isDefault ? " (default)" : ""}`,
    ]),
  ];
  return rows
    .map(([name, value]) => `${name.padEnd(18)} ${visibleText(value)}\n`)
    .join("");
}

function secretKeyText({ secretKey, isSecretKeyAccepted }: Identity): string {
  if (isSecretKeyAccepted === undefined) return secretKey;
  return `${secretKey}, ${isSecretKeyAccepted ? "accepted" : "refused"}`;
}
