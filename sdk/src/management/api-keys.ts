import type { CallOptions } from "../http/request";
import { Collection } from "./collection";
import { type ListOptions, nameOf } from "./management-api";
import type { InputOf, Page, RecordOf } from "./records";
import { API_KEY } from "../wire/operations";
import type {
  ApiKeyCreate,
  ApiKeyFilter,
  ApiKeyRecord,
  ApiKeyUpdate,
} from "../wire/management";

/** An API key. `token` is absent where the service does not show it again. */
export type ApiKey = RecordOf<typeof ApiKeyRecord>;

/** What a new API key takes. */
export type ApiKeyCreateInput = InputOf<typeof ApiKeyCreate>;

/** The changes of an API key. A field that is left out keeps its value. */
export type ApiKeyUpdateInput = InputOf<typeof ApiKeyUpdate>;

/** Filters and page of a list of API keys. */
export type ApiKeyListOptions = InputOf<typeof ApiKeyFilter> & ListOptions;

/** API keys of the workspace (docs/contract.md, "API key record"). */
export class ApiKeys extends Collection<
  typeof ApiKeyRecord,
  typeof ApiKeyFilter
> {
  protected readonly pages = API_KEY.list;

  /**
   * One page of the list, oldest first (docs/contract.md, "GET /api-keys").
   * @deprecated The service calls this list deprecated and names no replacement. The
   * list still works (docs/assumptions.md, A17). If you know the ID, use `get`.
   *
   * @example
   * const { data, nextCursor } = await client.apiKeys.list({ type: "public" });
   */
  override list(options?: ApiKeyListOptions): Promise<Page<ApiKey>> {
    return super.list(options);
  }

  /**
   * Every API key that the filter lets through, page by page.
   * @deprecated As `list` is.
   *
   * @example
   * for await (const key of client.apiKeys.listAll()) console.log(key.id);
   */
  override listAll(
    options?: Omit<ApiKeyListOptions, "cursor">,
  ): AsyncGenerator<ApiKey, void, undefined> {
    return super.listAll(options);
  }

  /**
   * One API key (docs/contract.md, "GET /api-keys/{id}").
   * @throws NotFoundError
   *
   * @example
   * const { name, status } = await client.apiKeys.get(keyId);
   */
  get(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.api.call(API_KEY.get, { id }, options);
  }

  /**
   * Creates an API key and returns it with its token. The service shows the token of a
   * secret or a proxy key only once, in this answer (docs/contract.md, "POST
   * /api-keys").
   * @throws AmbiguousError when the key may have been created and its token is lost
   *
   * @example
   * const { id, token } = await client.apiKeys.create({
   *   name: "Shop",
   *   type: "secret",
   * });
   */
  create(input: ApiKeyCreateInput, options?: CallOptions): Promise<ApiKey> {
    const label = nameOf(input);
    return this.api.call(API_KEY.create, { label, input }, options);
  }

  /**
   * Updates the given fields (docs/contract.md, "PATCH /api-keys/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.apiKeys.update(keyId, { rateLimit: 50, status: "disabled" });
   */
  update(
    id: string,
    input: ApiKeyUpdateInput,
    options?: CallOptions,
  ): Promise<ApiKey> {
    return this.api.call(API_KEY.update, { id, input }, options);
  }

  /**
   * Deletes a key for good (docs/contract.md, "DELETE /api-keys/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.apiKeys.delete(keyId);
   */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.api.call(API_KEY.delete, { id }, options);
  }
}
