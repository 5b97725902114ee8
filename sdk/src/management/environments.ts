import { z } from "zod";
import type {
  CallOptions,
  InputOf,
  ListOptions,
  ManagementApi,
  Page,
  RecordOf,
} from "./management-api";
import { eachItem } from "./pages";
import {
  EnvironmentCreate,
  EnvironmentRecord,
  EnvironmentUpdate,
} from "./wire";

/** An environment of the workspace. */
export type Environment = RecordOf<typeof EnvironmentRecord>;

const at = (id: string) => `/environments/${encodeURIComponent(id)}`;

/** Environments of the workspace (docs/contract.md, "Environment record"). */
export class Environments {
  constructor(private readonly api: ManagementApi) {}

  /** One page (docs/contract.md, "GET /environments"). */
  list(options: ListOptions = {}): Promise<Page<Environment>> {
    const { signal, ...query } = options;
    const operation = "Listing environments";
    const path = "/environments";
    return this.api.page(EnvironmentRecord, z.strictObject({}), {
      operation,
      path,
      query,
      signal,
    });
  }

  /** Every environment, page by page. */
  listAll(options: CallOptions = {}) {
    return eachItem((page) => this.list(page), options);
  }

  /** One environment, found in the list, for the service has no call for one; undefined when it is not there. */
  async find(
    id: string,
    options: CallOptions = {},
  ): Promise<Environment | undefined> {
    for await (const environment of this.listAll(options))
      if (environment.id === id) return environment;
    return undefined;
  }

  /**
   * The default environment among all of the workspace. Its record does not
   * say that it is the one; the first that was made is taken for it
   * (docs/assumptions.md, A25).
   */
  defaultOf(all: readonly Environment[]): Environment | undefined {
    return all.reduce<Environment | undefined>(
      (oldest, environment) =>
        !oldest || (environment.createdAt ?? "") < (oldest.createdAt ?? "")
          ? environment
          : oldest,
      undefined,
    );
  }

  /** The default environment, looked up. */
  async findDefault(
    options: CallOptions = {},
  ): Promise<Environment | undefined> {
    const all: Environment[] = [];
    for await (const environment of this.listAll(options))
      all.push(environment);
    return this.defaultOf(all);
  }

  /** Makes an environment (docs/contract.md, "POST /environments"). @throws AmbiguousError when it may have been made */
  create(
    input: InputOf<typeof EnvironmentCreate>,
    options: CallOptions = {},
  ): Promise<Environment> {
    return this.api.one(EnvironmentRecord, {
      operation: `Creating environment "${input.name}"`,
      method: "POST",
      path: "/environments",
      body: { schema: EnvironmentCreate, input },
      ...options,
    });
  }

  /** Changes what is given (docs/contract.md, "POST /environments/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof EnvironmentUpdate>,
    options: CallOptions = {},
  ): Promise<Environment> {
    return this.api.one(EnvironmentRecord, {
      operation: `Updating environment ${id}`,
      method: "POST",
      path: at(id),
      idempotent: true, // It sets values; twice is as good as once.
      body: { schema: EnvironmentUpdate, input },
      ...options,
    });
  }

  /** Deletes an environment that no active API key uses (docs/contract.md, "DELETE /environments/{id}"). @throws ConflictError, NotFoundError */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const operation = `Deleting environment ${id}`;
    await this.api.call({
      operation,
      method: "DELETE",
      path: at(id),
      ...options,
    });
  }
}
