import {
  isDevidError,
  type Client,
  type DevidError,
  type KeyOrigin,
} from "@devid/sdk";
import { everyItem } from "@devid/pulumi/state";
import { defineCommand } from "../../flags/define-command";
import { jsonFlag, regionFlag } from "../../flags/shared-flags";
import { reportError } from "../../output/report-error";
import { configuredClient } from "../../sources/configured-client";
import { jsonReport } from "../../output/write-output";
import { rowsText } from "../../output/rows-text";

/** Errors that mean that a key was refused, if the service sent them. Other errors say nothing about the key. */
const REFUSALS = [
  "UnauthorizedError",
  "SecretKeyError",
  "WrongRegionError",
  "ForbiddenError",
  "SubscriptionNotActiveError",
] as const;

/**
 * The result of a call with a key, or the error with which the service refused the key.
 */
type Answered<T> = { readonly is: T } | { readonly refusal: DevidError };

/** `devid whoami`: shows which workspace the configured keys reach, and which of them the service refuses. */
export const whoami = defineCommand({
  flags: { region: regionFlag, json: jsonFlag() },
  run: async ({ region, json }) => {
    const client = configuredClient({ region });
    const { managementKey, secretKey } = client.configuration;
    // Without any key, the error of this call says where devid looks for a key.
    const managed =
      managementKey || !secretKey
        ? await answered(() => environmentsOf(client))
        : undefined;
    const read = secretKey
      ? await answered(() => readEvents(client))
      : undefined;
    const identity = identityOf(client, managed, read);
    process.stdout.write(json ? jsonReport(identity) : text(identity));
    for (const answer of [managed, read]) {
      if (!answer || "is" in answer) continue;
      process.exitCode = reportError(answer.refusal, { json });
    }
  },
});

async function answered<T>(call: () => Promise<T>): Promise<Answered<T>> {
  try {
    return { is: await call() };
  } catch (error) {
    for (const name of REFUSALS)
      if (isDevidError(error, name) && !error.isForeign)
        return { refusal: error };
    throw error;
  }
}

/**
 * Reads the events of the last second, because the service has no call that only checks
 * a secret key.
 */
async function readEvents(client: Client): Promise<void> {
  const end = Date.now();
  await client.events.search({ limit: 1, start: end - 1_000, end });
}

async function environmentsOf({ environments }: Client) {
  const all = await everyItem(environments.listAll());
  const oldest = environments.defaultOf(all);
  return all.map(({ id, name }) => ({
    id,
    name,
    isDefault: id === oldest?.id,
  }));
}

/**
 * The output of `devid whoami`. It says where each key was found, and never shows a key.
 * What a missing or refused key would tell is absent.
 */
function identityOf(
  { configuration }: Client,
  managed: Answered<Awaited<ReturnType<typeof environmentsOf>>> | undefined,
  read: Answered<void> | undefined,
) {
  const { region, managementUrl, apiVersion, eventsUrl, drnUrl } =
    configuration;
  const from = (key: KeyOrigin | undefined) =>
    key ? `from ${key.from}` : "not set";
  return {
    ...{ region, managementUrl, apiVersion },
    managementKey: from(configuration.managementKey),
    isManagementKeyAccepted: managed && "is" in managed,
    secretKey: from(configuration.secretKey),
    isSecretKeyAccepted: read && "is" in read,
    ...{ eventsUrl, drnUrl },
    environments: managed && "is" in managed ? managed.is : undefined,
  };
}

function text(identity: ReturnType<typeof identityOf>): string {
  const { region, managementUrl, apiVersion, eventsUrl, drnUrl } = identity;
  const { environments = [] } = identity;
  const keyText = (key: "Management" | "Secret") => {
    const isAccepted = identity[`is${key}KeyAccepted`];
    const from = identity[key === "Secret" ? "secretKey" : "managementKey"];
    if (isAccepted === undefined) return from;
    return `${from}, ${isAccepted ? "accepted" : "refused"}`;
  };
  return rowsText(
    [
      ["Region", region],
      ["Management API", `${managementUrl} (version ${apiVersion})`],
      ["Management key", keyText("Management")],
      ["Events API", eventsUrl],
      ["Device reputation", drnUrl],
      ["Secret key", keyText("Secret")],
      ...environments.map(
        ({ id, name, isDefault }, index) =>
          [
            index === 0 ? "Environments" : "",
            `${id}  ${name}${isDefault ? " (default)" : ""}`,
          ] as const,
      ),
    ],
    18,
  );
}
