import type {
  CallOptions,
  InputOf,
  ListOptions,
  ManagementApi,
  Page,
  RecordOf,
} from "./management-api";
import { eachItem } from "./pages";
import { ApiKeyCreate, ApiKeyFilter, ApiKeyRecord, ApiKeyUpdate } from "./wire";

/** An API key. `token` is absent where the service does not show it again. */
export type ApiKey = RecordOf<typeof ApiKeyRecord>;

type Filter = InputOf<typeof ApiKeyFilter>;

const at = (id: string) => `/api-keys/${encodeURIComponent(id)}`;

/** API keys of the workspace (docs/contract.md, "API key record"). */
export class ApiKeys {
  constructor(private readonly api: ManagementApi) {}

  /** One page (docs/contract.md, "GET /api-keys"). */
  list(options: Filter & ListOptions = {}): Promise<Page<ApiKey>> {
    const { signal, ...query } = options;
    const operation = "Listing API keys";
    const path = "/api-keys";
    return this.api.page(ApiKeyRecord, ApiKeyFilter, {
      operation,
      path,
      query,
      signal,
    });
  }

  /** Every API key that the filter lets through, page by page. */
  listAll(options: Filter & CallOptions = {}) {
    return eachItem((page) => this.list({ ...options, ...page }), options);
  }

  /** One API key (docs/contract.md, "GET /api-keys/{id}"). @throws NotFoundError */
  get(id: string, options: CallOptions = {}): Promise<ApiKey> {
    const operation = `Reading API key ${id}`;
    return this.api.one(ApiKeyRecord, { operation, path: at(id), ...options });
  }

  /**
   * Makes an API key and answers it with its token, which the service shows
   * only now for a secret or a proxy key (docs/contract.md, "POST /api-keys").
   * @throws AmbiguousError when it may have been made and its token is lost
   */
  create(
    input: InputOf<typeof ApiKeyCreate>,
    options: CallOptions = {},
  ): Promise<ApiKey> {
    return this.api.one(ApiKeyRecord, {
      operation: `Creating API key "${input.name}"`,
      method: "POST",
      path: "/api-keys",
      body: { schema: ApiKeyCreate, input },
      ...options,
    });
  }

  /** Changes what is given (docs/contract.md, "PATCH /api-keys/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof ApiKeyUpdate>,
    options: CallOptions = {},
  ): Promise<ApiKey> {
    return this.api.one(ApiKeyRecord, {
      operation: `Updating API key ${id}`,
      method: "PATCH",
      path: at(id),
      body: { schema: ApiKeyUpdate, input },
      ...options,
    });
  }

  /** Deletes a key for good (docs/contract.md, "DELETE /api-keys/{id}"). @throws NotFoundError */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const operation = `Deleting API key ${id}`;
    await this.api.call({
      operation,
      method: "DELETE",
      path: at(id),
      ...options,
    });
  }
}
