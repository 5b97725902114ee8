import {
  environmentNamed,
  everyItem,
  noDefaultEnvironment,
  readRulesInForce,
} from "@devid/pulumi/state";
import type { Client, Environment } from "@devid/sdk";
import { rulesDigest, type Rule } from "@devid/rules";
import { UsageError } from "../errors";
import { configuredClient } from "./configured-client";

/** The environments of a workspace and their rules in force, each read only once. */
export class LiveRules {
  #environments: Promise<readonly Environment[]> | undefined;
  readonly #rules = new Map<string, Promise<readonly Rule[]>>();

  constructor(readonly client: Client) {}

  environments(): Promise<readonly Environment[]> {
    this.#environments ??= everyItem(this.client.environments.listAll());
    return this.#environments;
  }

  /** Rules with the same name are told apart by their IDs. */
  of(environment: string): Promise<readonly Rule[]> {
    const read =
      this.#rules.get(environment) ??
      readRulesInForce(this.client, environment);
    this.#rules.set(environment, read);
    return read;
  }

  /** The rules in force, and their digest. @throws UsageError as `environment` */
  async inForce(idOrName: string | undefined) {
    const environment = await this.environment(idOrName);
    const rules = await this.of(environment.id);
    return { environment, rules, digest: rulesDigest(rules) };
  }

  /** The rules in force, and their name for reports. @throws UsageError as `environment` */
  async named(idOrName?: string) {
    const { environment, rules } = await this.inForce(idOrName);
    return { name: `live (${environment.name}, ${environment.id})`, rules };
  }

  /**
   * Finds an environment by ID or name; without either, the default one.
   * @throws UsageError if there is no such environment, or if several have the
   * name
   */
  async environment(idOrName: string | undefined): Promise<Environment> {
    const all = await this.environments();
    const { environments, configuration } = this.client;
    const { region } = configuration;
    const found =
      idOrName === undefined
        ? (environments.defaultOf(all) ?? {
            problem: noDefaultEnvironment(region),
          })
        : environmentNamed(idOrName, all, region);
    if ("problem" in found) throw new UsageError(found.problem);
    return found;
  }
}

/** The rules in force of the workspace and the environment that flags name. @throws UsageError */
export const inForceNow = (flags: {
  readonly region?: string;
  readonly environment?: string;
}) => new LiveRules(configuredClient(flags)).inForce(flags.environment);

/** An environment, as far as it is known. */
export interface EnvironmentPlace {
  /** Absent for events of every environment that the secret key sees. */
  readonly id?: string;
  /** The environment in words: `Production (ae_1)`. */
  readonly words: string;
}

/** Describes an environment with its ID and its name. */
export const placeOf = ({ id, name }: Environment) => ({
  id,
  words: `${name} (${id})`,
});

/** The words of a report if the environment is unknown. */
export const EVERY_ENVIRONMENT = "every environment that the secret key sees";

/** The rules in force of a client's workspace; undefined without a management key. */
export const liveOf = (client: Client): LiveRules | undefined =>
  client.configuration.managementKey ? new LiveRules(client) : undefined;

/** Whether a text is the ID of an environment (docs/contract.md, "Environment record"), which needs no look-up. */
export const isEnvironmentId = (idOrName: string): boolean =>
  /^(?:ae|env)_/.test(idOrName);

/**
 * Finds an environment by ID or name; without either, the default one. Without
 * rules in force, names cannot be looked up, and the default is every
 * environment that the secret key sees.
 * @throws UsageError; the errors of the client
 */
export async function environmentPlace(
  live: LiveRules | undefined,
  idOrName: string | undefined,
): Promise<EnvironmentPlace> {
  if (live) return placeOf(await live.environment(idOrName));
  if (idOrName === undefined) return { words: EVERY_ENVIRONMENT };
  if (isEnvironmentId(idOrName)) return { id: idOrName, words: idOrName };
  throw new UsageError(
    `Looking up the environment "${idOrName}" needs a management key. Configure one, or name the environment by its ID.`,
  );
}
