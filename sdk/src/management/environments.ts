import { InvalidInputError } from "../http/errors";
import { pathTo } from "../http/path";
import type { CallOptions } from "../http/request";
import { kindOf } from "../kind-of";
import { Collection } from "./collection";
import { nameOf } from "./management-api";
import type { InputOf, RecordOf } from "./records";
import { ENVIRONMENT } from "../wire/operations";
import type {
  EnvironmentCreate,
  EnvironmentFilter,
  EnvironmentRecord,
  EnvironmentUpdate,
} from "../wire/management";

/** An environment of the workspace. */
export type Environment = RecordOf<typeof EnvironmentRecord>;

/** What a new environment takes. */
export type EnvironmentCreateInput = InputOf<typeof EnvironmentCreate>;

/** The changes of an environment. A field that is left out keeps its value. */
export type EnvironmentUpdateInput = InputOf<typeof EnvironmentUpdate>;

/** Environments of the workspace (docs/contract.md, "Environment record"). */
export class Environments extends Collection<
  typeof EnvironmentRecord,
  typeof EnvironmentFilter
> {
  protected readonly pages = ENVIRONMENT.list;

  /**
   * One environment; undefined if the workspace does not have it. The list of all
   * environments is read, because the service has no call for one environment.
   * @throws InvalidInputError for an ID that is no text
   *
   * @example
   * const environment = await client.environments.find(environmentId);
   */
  async find(
    id: string,
    options?: CallOptions,
  ): Promise<Environment | undefined> {
    pathTo("", { id }, "Finding environment");
    for await (const environment of this.listAll(options))
      if (environment.id === id) return environment;
    return undefined;
  }

  /**
   * The default environment among all environments of the workspace. No field of the
   * record marks the default environment, so this is the environment that was created
   * first (docs/assumptions.md, A25). Undefined if there are several environments and
   * none has a creation date.
   *
   * @example
   * const { data } = await client.environments.list();
   * const oldest = client.environments.defaultOf(data);
   */
  defaultOf(all: readonly Environment[]): Environment | undefined {
    const given: unknown = all;
    if (!Array.isArray(given))
      throw new InvalidInputError("Finding the default environment", [
        { property: "all", message: `must be a list, but is ${kindOf(given)}` },
      ]);
    const [only, ...others] = all;
    if (others.length === 0) return only;
    return all
      .filter(({ createdAt }) => typeof createdAt === "string")
      .toSorted((a, b) =>
        (a.createdAt ?? "").localeCompare(b.createdAt ?? ""),
      )[0];
  }

  /**
   * Reads all environments and returns the default environment.
   *
   * @example
   * const environment = await client.environments.findDefault();
   */
  async findDefault(options?: CallOptions): Promise<Environment | undefined> {
    const all: Environment[] = [];
    for await (const environment of this.listAll(options))
      all.push(environment);
    return this.defaultOf(all);
  }

  /**
   * Creates an environment (docs/contract.md, "POST /environments").
   * @throws AmbiguousError when the environment may have been created
   *
   * @example
   * const { id } = await client.environments.create({ name: "Staging" });
   */
  create(
    input: EnvironmentCreateInput,
    options?: CallOptions,
  ): Promise<Environment> {
    const label = nameOf(input);
    return this.api.call(ENVIRONMENT.create, { label, input }, options);
  }

  /**
   * Updates the given fields (docs/contract.md, "POST /environments/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.environments.update(environmentId, { name: "Testing" });
   */
  update(
    id: string,
    input: EnvironmentUpdateInput,
    options?: CallOptions,
  ): Promise<Environment> {
    return this.api.call(ENVIRONMENT.update, { id, input }, options);
  }

  /**
   * Deletes an environment that no active API key uses (docs/contract.md, "DELETE /environments/{id}").
   * @throws ConflictError, NotFoundError
   *
   * @example
   * await client.environments.delete(environmentId);
   */
  delete(id: string, options?: CallOptions): Promise<void> {
    const isGone = async () => !(await this.find(id, options));
    return this.api.call(ENVIRONMENT.delete, { id, isGone }, options);
  }
}
