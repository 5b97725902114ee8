import type { Client, Environment } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import { UsageError } from "../errors";

/** The environments of a workspace and the rules in force in them; what was read once is not read again. */
export class LiveRules {
  #environments: Promise<readonly Environment[]> | undefined;
  readonly #rules = new Map<string, Promise<readonly Rule[]>>();

  constructor(readonly client: Client) {}

  /** Every environment. */
  environments(): Promise<readonly Environment[]> {
    this.#environments ??= allOf(this.client.environments.listAll());
    return this.#environments;
  }

  /** The rules of an environment by its ID; rules of one name are told apart by their IDs. */
  of(environment: string): Promise<readonly Rule[]> {
    const read = this.#rules.get(environment) ?? this.#list(environment);
    this.#rules.set(environment, read);
    return read;
  }

  /** The rules in force, and what they are called. @throws UsageError as `environment` */
  async named(
    idOrName?: string,
  ): Promise<{ readonly name: string; readonly rules: readonly Rule[] }> {
    const environment = await this.environment(idOrName);
    const name = `live (${environment.name}, ${environment.id})`;
    return { name, rules: await this.of(environment.id) };
  }

  /** The environment of an ID or a name; of neither, the default one. @throws UsageError when that is none, or several */
  async environment(idOrName: string | undefined): Promise<Environment> {
    const all = await this.environments();
    const meant = all.filter(({ id }) => id === idOrName);
    if (idOrName === undefined) {
      const oldest = this.client.environments.defaultOf(all);
      if (oldest) meant.push(oldest);
    } else if (meant.length === 0)
      meant.push(...all.filter(({ name }) => name === idOrName));

    const [found, ...others] = meant;
    if (found && others.length === 0) return found;
    const { region } = this.client.configuration;
    const list = (environments: readonly Environment[]) =>
      environments.map(({ id, name }) => `${id} (${name})`).join(", ") ||
      "none";
    throw new UsageError(
      found
        ? `Several environments in region ${region} are called "${idOrName}": ${list(meant)}. Name one by its ID.`
        : `The workspace in region ${region} has no ${idOrName === undefined ? "default environment" : `environment "${idOrName}"`}; it has ${list(all)}.`,
    );
  }

  async #list(environment: string): Promise<readonly Rule[]> {
    const { readRulesInForce } = await import("@devid/pulumi/state");
    return readRulesInForce(this.client, environment);
  }
}

async function allOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

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
