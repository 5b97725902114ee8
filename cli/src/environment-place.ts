import type { Client, Environment } from "@devid/sdk";
import { LiveRules } from "./live-rules";
import { UsageError } from "./usage-error";

/** An environment as far as it is known. */
export interface EnvironmentPlace {
  /** Undefined where events of every environment that the secret key sees are meant. */
  readonly id?: string;
  /** In words: `Production (ae_1)`. */
  readonly words: string;
}

/** An environment, as a place that is known by its name, too. */
export const placeOf = ({ id, name }: Environment) => ({
  id,
  words: `${name} (${id})`,
});

/** What a report says where the environment cannot be told. */
export const EVERY_ENVIRONMENT = "every environment that the secret key sees";

/**
 * The environment of an ID or a name, by default the default environment.
 * Without a management key only an ID can be told, and without one it is every
 * environment that the secret key sees.
 * @throws UsageError; the errors of the client
 */
export async function environmentPlace(
  client: Client,
  idOrName: string | undefined,
  live = new LiveRules(client),
): Promise<EnvironmentPlace> {
  if (client.configuration.managementKey) {
    return placeOf(await live.environment(idOrName));
  }
  if (idOrName === undefined) return { words: EVERY_ENVIRONMENT };
  if (idOrName.startsWith("ae_")) return { id: idOrName, words: idOrName };
  throw new UsageError(
    `The environment "${idOrName}" takes a management key to look up. Configure one, or name the environment by its ID.`,
  );
}
