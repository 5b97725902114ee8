import type { CallOptions } from "../http/request";
import { Collection } from "./collection";
import {
  schemaOf,
  type ListOptions,
  type ManagementApi,
} from "./management-api";
import type { InputOf, Page, RecordOf } from "./records";
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

/** What can be changed of API keys; what is left out stays. */
export type ApiKeyUpdateInput = InputOf<typeof ApiKeyUpdate>;

/** Filters and page of a list of API keys. */
export type ApiKeyListOptions = InputOf<typeof ApiKeyFilter> & ListOptions;

/** API keys of the workspace (docs/contract.md, "API key record"). */
export class ApiKeys extends Collection<
  typeof ApiKeyRecord,
  typeof ApiKeyFilter
> {
  constructor(api: ManagementApi) {
    const spec = {
      path: "/api-keys",
      singular: "API key",
      record: schemaOf("ApiKeyRecord"),
    };
    super(api, spec, schemaOf("ApiKeyFilter"));
  }

  /**
   * One page of the list, oldest first (docs/contract.md, "GET /api-keys").
   * @deprecated The service calls this list deprecated and names no other. It
   * still works (docs/assumptions.md, A17). Where the ID is known, use `get`.
   */
  override list(options?: ApiKeyListOptions): Promise<Page<ApiKey>> {
    return super.list(options);
  }

  /**
   * Every API key that the filter lets through, page by page.
   * @deprecated As `list` is.
   */
  override listAll(
    options?: Omit<ApiKeyListOptions, "cursor">,
  ): AsyncGenerator<ApiKey, void, undefined> {
    return super.listAll(options);
  }

  /** One API key (docs/contract.md, "GET /api-keys/{id}"). @throws NotFoundError */
  get(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.callOne("Reading", id, {}, options);
  }

  /**
   * Makes an API key and answers it with its token, which the service shows
   * only now for a secret or a proxy key (docs/contract.md, "POST /api-keys").
   * @throws AmbiguousError when it may have been made and its token is lost
   */
  create(input: ApiKeyCreateInput, options?: CallOptions): Promise<ApiKey> {
    const body = { schema: schemaOf("ApiKeyCreate"), input };
    return this.createOne(`"${input.name}"`, body, options);
  }

  /** Changes what is given (docs/contract.md, "PATCH /api-keys/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: ApiKeyUpdateInput,
    options?: CallOptions,
  ): Promise<ApiKey> {
    const body = { schema: schemaOf("ApiKeyUpdate"), input };
    return this.callOne("Updating", id, { method: "PATCH", body }, options);
  }

  /** Deletes a key for good (docs/contract.md, "DELETE /api-keys/{id}"). @throws NotFoundError */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.deleteOne(id, options);
  }
}
