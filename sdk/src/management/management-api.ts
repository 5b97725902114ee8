import type * as z from "zod";
import type { Configuration } from "../configuration/configuration";
import {
  callOptions,
  request,
  type CallOptions,
  type Transport,
} from "../http/request";
import type * as wire from "../wire/management";
import type { Page, RecordOf } from "./records";

/**
 * A schema that the first call that needs it loads. A client without calls does not
 * load schemas.
 */
export type Lazy<S> = () => Promise<S>;

type Wire = typeof wire;

/** One of the wire schemas of the management API, by its name. */
export const schemaOf =
  <N extends keyof Wire>(name: N): Lazy<Wire[N]> =>
  async () =>
    (await import("../wire/management.js"))[name];

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
  readonly body?: { readonly schema: Lazy<z.ZodType>; readonly input: object };
  /** Whether the call may be repeated. Default: true for every method but POST. */
  readonly idempotent?: boolean;
  /** Whether the answer may also be the record itself, without `data`. */
  readonly mayBeBare?: boolean;
  /** As in `Call`: the status of an answer if there is nothing left to do. */
  readonly goneStatus?: number;
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

  /** Makes a call that answers `{data: record}`. */
  async one<S extends z.ZodObject>(
    schema: Lazy<S>,
    call: ManagementCall,
  ): Promise<RecordOf<S>> {
    const answer = await this.call(call);
    const codec = await this.#codec(call);
    return codec.record(await schema(), answer, call.mayBeBare);
  }

  /** Makes a call that answers `{data: [record], metadata: {pagination}}`. */
  async many<S extends z.ZodObject>(
    schema: Lazy<S>,
    call: ManagementCall,
  ): Promise<Page<RecordOf<S>>> {
    const answer = await this.call(call);
    return (await this.#codec(call)).page(await schema(), answer);
  }

  /** Makes a list call and returns one page. Filters and page options are checked first. */
  async page<S extends z.ZodObject>(
    schema: Lazy<S>,
    filter: Lazy<z.ZodObject>,
    call: ManagementCall & { readonly query: object },
  ): Promise<Page<RecordOf<S>>> {
    const codec = await this.#codec(call);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(
      codec.query(await filter(), call.query),
    ))
      if (value !== undefined) query.set(name, String(value));
    return codec.page(await schema(), await this.#send(call, query));
  }

  async #send(call: ManagementCall, query: URLSearchParams): Promise<unknown> {
    const { operation, goneStatus, method = "GET" } = call;
    const body =
      call.body &&
      (await this.#codec(call)).body(await call.body.schema(), call.body.input);
    const url = new URL(this.configuration.managementUrl + call.path);
    url.search = query.toString();
    return request(this.transport, {
      ...callOptions(call),
      operation,
      method,
      url,
      idempotent: call.idempotent ?? method !== "POST",
      goneStatus,
      body,
      headers: {
        authorization: `Bearer ${this.key()}`,
        "x-api-version": this.configuration.apiVersion,
      },
    });
  }

  async #codec({ operation, method = "GET" }: ManagementCall) {
    const { RecordCodec } = await import("./records.js");
    const isRead = method === "GET";
    return new RecordCodec(operation, this.transport.redactor, isRead);
  }
}
