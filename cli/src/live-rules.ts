import type { Client, Environment } from "@devid/sdk";
import type { Rule } from "@devid/sdk/rules";
import { UsageError } from "./usage-error";

/** The rules in force in an environment. */
export interface LiveRules {
  readonly environment: Environment;
  readonly rules: readonly Rule[];
}

/**
 * Reads the rules in force in the environment of an ID or a name, by default
 * the default environment; rules of one name are told apart by their IDs.
 * @throws UsageError when that is no environment, or several
 */
export async function liveRules(
  client: Client,
  idOrName?: string,
): Promise<LiveRules> {
  const { fromService } = await import("@devid/pulumi/rule-sets");
  const environment = await findEnvironment(client, idOrName);
  const options = { environment: environment.id };
  const rules = fromService(await client.filteringRules.list(options));
  return { environment, rules };
}

/** The environment of an ID or a name; of neither, the default one. @throws UsageError when that is none, or several */
export async function findEnvironment(
  client: Client,
  idOrName: string | undefined,
): Promise<Environment> {
  const all: Environment[] = [];
  for await (const environment of client.environments.listAll())
    all.push(environment);
  const meant = all.filter(({ id }) => id === idOrName);
  if (idOrName === undefined) {
    const oldest = client.environments.defaultOf(all);
    if (oldest) meant.push(oldest);
  } else if (meant.length === 0)
    meant.push(...all.filter(({ name }) => name === idOrName));

  const [found, ...others] = meant;
  if (found && others.length === 0) return found;
  const { region } = client.configuration;
  const list = (environments: readonly Environment[]) =>
    environments.map(({ id, name }) => `${id} (${name})`).join(", ") || "none";
  throw new UsageError(
    found
      ? `Several environments in region ${region} are called "${idOrName}": ${list(meant)}. Name one by its ID.`
      : `The workspace in region ${region} has no ${idOrName === undefined ? "default environment" : `environment "${idOrName}"`}; it has ${list(all)}.`,
  );
}
