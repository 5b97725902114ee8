import { z } from "zod";
import { checkInput } from "../http/check-input";
import { UnexpectedAnswerError } from "../http/errors";
import { type CallOptions, request, type Transport } from "../http/request";
import { camelKeys, snakeKeys, type CamelKeys } from "../wire/casing";
import { PageLimit, Pagination } from "../wire/management";
import { secretTexts } from "../wire/secret-mark";

/** What a list call takes besides its filters. */
export interface ListOptions extends CallOptions {
  /** Items a page, 0 to 101; the service's default is 10. */
  readonly limit?: number;
  /** Where the page starts, from an earlier page. */
  readonly cursor?: string;
}

/** One page of a list. Cursors are absent where there is no further page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
  readonly prevCursor?: string;
}

/** A record of the service in our spelling. */
export type RecordOf<S extends z.ZodObject> = CamelKeys<z.output<S>>;

/** What a call takes, in our spelling. */
export type InputOf<S extends z.ZodType<object>> = CamelKeys<z.input<S>>;

/** One call of the management API. */
export interface ManagementCall extends CallOptions {
  /** For messages: what is done, to what. Secrets are taken out of it. */
  readonly operation: string;
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Under the management URL, with a leading slash. */
  readonly path: string;
  /** The body, checked against `schema` before it is sent. */
  readonly body?: { readonly schema: z.ZodType; readonly input: object };
  readonly query?: object;
  /** Whether repeating it does no harm; so for every method but POST unless said otherwise. */
  readonly idempotent?: boolean;
  /** How the service answers when there is nothing left to do, as in `Call`. */
  readonly goneStatus?: number;
}

const Envelope = z.object({ data: z.unknown() });
const ListEnvelope = z.object({
  data: z.array(z.unknown()),
  metadata: z
    .object({ pagination: z.record(z.string(), z.unknown()).nullish() })
    .nullish(),
});
const ListQuery = z.object({
  limit: PageLimit.optional(),
  cursor: z.string().optional(),
});

/**
 * The management API as a wire: authorisation, version header, envelopes and
 * the two spellings. The resources beside this file say what goes over it.
 */
export class ManagementApi {
  constructor(
    private readonly baseUrl: string,
    private readonly key: () => string,
    private readonly apiVersion: string,
    private readonly transport: Transport,
  ) {}

  /** Makes a call and answers the raw body; `undefined` when it is empty. */
  async call(call: ManagementCall): Promise<unknown> {
    if (call.body) this.#remember(call.body.schema, call.body.input);
    const operation = this.#operation(call);
    const method = call.method ?? "GET";
    const url = new URL(this.baseUrl + call.path);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return request(this.transport, {
      operation,
      method,
      url,
      idempotent: call.idempotent ?? method !== "POST",
      goneStatus: call.goneStatus,
      signal: call.signal,
      body: call.body && encode(call.body.schema, call.body.input, operation),
      headers: {
        authorization: `Bearer ${this.key()}`,
        "x-api-version": this.apiVersion,
      },
    });
  }

  /** Makes a call that answers `{data: record}`. */
  async one<S extends z.ZodObject>(
    schema: S,
    call: ManagementCall,
  ): Promise<RecordOf<S>> {
    const envelope = Envelope.safeParse(await this.call(call));
    if (!envelope.success)
      throw new UnexpectedAnswerError(
        this.#operation(call),
        "no `data` in the body",
      );
    return this.#record(schema, envelope.data.data, call);
  }

  /** Makes a call that answers `{data: [record], metadata: {pagination}}`. */
  async many<S extends z.ZodObject>(
    schema: S,
    call: ManagementCall,
  ): Promise<Page<RecordOf<S>>> {
    const envelope = ListEnvelope.safeParse(await this.call(call));
    if (!envelope.success)
      throw new UnexpectedAnswerError(
        this.#operation(call),
        "no list `data` in the body",
      );
    const cursors = Pagination.safeParse(
      snakeKeys(envelope.data.metadata?.pagination ?? {}),
    );
    if (!cursors.success)
      throw new UnexpectedAnswerError(
        this.#operation(call),
        this.transport.redactor.redact(z.prettifyError(cursors.error)),
      );
    return {
      data: envelope.data.data.map((item) => this.#record(schema, item, call)),
      // An empty cursor leads nowhere, or back to the start for ever.
      nextCursor: cursors.data.next_cursor || undefined,
      prevCursor: cursors.data.prev_cursor || undefined,
    };
  }

  /** Makes a list call: filters and page checked, one page answered. */
  async page<S extends z.ZodObject, F extends z.ZodObject>(
    schema: S,
    filter: F,
    call: ManagementCall & { readonly query: object },
  ): Promise<Page<RecordOf<S>>> {
    const query = encode(
      filter.extend(ListQuery.shape),
      call.query,
      this.#operation(call),
    );
    return this.many(schema, { ...call, query });
  }

  /** Remembers what is secret in what is sent or was answered, so that no message tells it. */
  #remember(schema: z.ZodType, value: object): Record<string, unknown> {
    const snake = snakeKeys(value);
    this.transport.redactor.add(...secretTexts(schema, snake));
    return snake;
  }

  #operation({ operation }: ManagementCall): string {
    return this.transport.redactor.redact(operation);
  }

  #record<S extends z.ZodObject>(
    schema: S,
    value: unknown,
    call: ManagementCall,
  ): RecordOf<S> {
    // Before it is checked: what cannot be read may hold a new token, too.
    const result = schema.safeParse(
      typeof value === "object" && value !== null
        ? this.#remember(schema, value)
        : value,
    );
    if (result.success) return camelKeys(result.data);
    throw new UnexpectedAnswerError(
      this.#operation(call),
      this.transport.redactor.redact(z.prettifyError(result.error)),
    );
  }
}

/** Checks a call's input against the contract and spells it as the service does. */
function encode(schema: z.ZodType, input: object, operation: string): object {
  return checkInput(schema, snakeKeys(input), operation) as object;
}
