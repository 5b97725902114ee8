import type * as z from "zod";
import type { Configuration } from "../configuration/configuration";
import {
  callOptions,
  request,
  type CallOptions,
  type Transport,
} from "../http/request";
import { RecordCodec, type Page, type RecordOf } from "./records";

/** What a list call takes besides its filters. */
export interface ListOptions extends CallOptions {
  /** Items a page, 0 to 101; the service's default is 10. */
  readonly limit?: number;
  /** Where the page starts, from an earlier page. */
  readonly cursor?: string;
}

/** One call of the management API. */
export interface ManagementCall extends CallOptions {
  /**
   * For messages: the action and its object, such as `Creating webhook`. Secrets are
   * removed.
   */
  readonly operation: string;
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path below the management URL, with a leading slash. */
  readonly path: string;
  /** The body. `schema` checks it before it is sent. */
  readonly body?: { readonly schema: z.ZodType; readonly input: object };
  /** Whether the call may be repeated. Default: true for every method but POST. */
  readonly idempotent?: boolean;
  /** Whether the answer may also be the record itself, without `data`. */
  readonly mayBeBare?: boolean;
  /** As in `Call`: whether the call deletes an object. */
  readonly deletes?: boolean;
}

/**
 * The management API over HTTP: key, version, bodies and answers. The other classes of
 * this folder define the calls.
 */
export class ManagementApi {
  constructor(
    readonly configuration: Configuration,
    private readonly key: () => string,
    private readonly transport: Transport,
  ) {}

  /** The same API, with a check before each call. If `check` throws, nothing is sent. */
  refusing(check: () => void): ManagementApi {
    const key = () => {
      check();
      return this.key();
    };
    return new ManagementApi(this.configuration, key, this.transport);
  }

  /** Makes a call and returns the raw body; `undefined` if the body is empty. */
  async call(call: ManagementCall): Promise<unknown> {
    return this.#send(call, new URLSearchParams());
  }

  /**
   * Deletes an object. An answer without a body, or with `data`, is the service's own
   * (docs/assumptions.md, A2).
   */
  async delete(id: string, call: ManagementCall): Promise<void> {
    const deleting = { ...call, method: "DELETE", deletes: true } as const;
    const answer = await this.call(deleting);
    if (answer !== undefined) this.#codec(deleting).deleted(id, answer);
  }

  /** Makes a call that answers `{data: record}`. `id`: the record must have this ID. */
  async one<S extends z.ZodObject>(
    schema: S,
    call: ManagementCall & { readonly id?: string },
  ): Promise<RecordOf<S>> {
    const answer = await this.call(call);
    return this.#codec(call).record(schema, answer, call);
  }

  /** Makes a call that answers `{data: [record], metadata: {pagination}}`. */
  async many<S extends z.ZodObject>(
    schema: S,
    call: ManagementCall,
  ): Promise<Page<RecordOf<S>>> {
    const answer = await this.call(call);
    return this.#codec(call).page(schema, answer);
  }

  /** Makes a list call and returns one page. Filters and page options are checked first. */
  async page<S extends z.ZodObject>(
    schema: S,
    filter: z.ZodObject,
    call: ManagementCall & { readonly query: object },
  ): Promise<Page<RecordOf<S>>> {
    const codec = this.#codec(call);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(codec.query(filter, call.query)))
      if (value !== undefined) query.set(name, String(value));
    return codec.page(schema, await this.#send(call, query));
  }

  async #send(call: ManagementCall, query: URLSearchParams): Promise<unknown> {
    const { operation, deletes, method = "GET" } = call;
    const body =
      call.body && this.#codec(call).body(call.body.schema, call.body.input);
    const url = new URL(this.configuration.managementUrl + call.path);
    url.search = query.toString();
    return request(this.transport, {
      ...callOptions(call),
      operation,
      method,
      url,
      idempotent: call.idempotent ?? method !== "POST",
      deletes,
      body,
      headers: {
        authorization: `Bearer ${this.key()}`,
        "x-api-version": this.configuration.apiVersion,
      },
    });
  }

  #codec({ operation, method = "GET" }: ManagementCall) {
    const isRead = method === "GET";
    return new RecordCodec(operation, this.transport.redactor, isRead);
  }
}
