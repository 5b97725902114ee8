import { labelOf } from "../kind-of";
import type { Configuration } from "../configuration/configuration";
import { objectArgument } from "../http/object-argument";
import { pathTo } from "../http/path";
import {
  callOptions,
  request,
  type CallOptions,
  type Transport,
} from "../http/request";
import type { ManagementOperation } from "../wire/operations";
import { RecordCodec, type Page, type RecordOf } from "./records";

/** What a list call takes besides its filters. */
export interface ListOptions extends CallOptions {
  /** Items a page, 0 to 101; the service's default is 10. */
  readonly limit?: number | undefined;
  /** Where the page starts, from an earlier page. */
  readonly cursor?: string | undefined;
}

/** What one call gives to its operation. */
interface Given {
  /** ID of the record in the path. The answer must be about it. */
  readonly id?: string;
  /** For messages, in place of the ID: the name of a new object. */
  readonly label?: string;
  /** The body, before it is checked. */
  readonly input?: object;
  /** The filters and page options of a list, before they are checked. */
  readonly query?: object;
  /** For a delete: whether the object is gone. Default: a GET of its path tells. */
  readonly isGone?: () => Promise<boolean>;
}

/** The name of a new object for messages. A caller without types may leave it out. */
export const nameOf = (input: { readonly name?: unknown } | undefined) =>
  typeof input?.name === "string" ? `"${input.name}"` : undefined;

/** What a call returns. */
type AnswerOf<O extends ManagementOperation> = {
  readonly one: RecordOf<O["record"]>;
  readonly page: Page<RecordOf<O["record"]>>;
  readonly all: readonly RecordOf<O["record"]>[];
  readonly nothing: undefined;
}[O["answers"]];

/**
 * The management API over HTTP: key, version, bodies and answers. The table of operations
 * says the rest.
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

  /**
   * Calls an operation.
   * @throws InvalidInputError, UnexpectedAnswerError; what `request` throws
   */
  async call<O extends ManagementOperation>(
    operation: O,
    given: Given = {},
    options: CallOptions = {},
  ): Promise<AnswerOf<O>> {
    const { id, label = id, query = {} } = given;
    const { method, doing }: O = operation;
    const codec = new RecordCodec(
      label === undefined ? doing : `${doing} ${labelOf(label)}`,
      this.transport.redactor,
      operation,
    );
    const path = operation.path.replace("/:id", () =>
      pathTo("", { id }, codec.operation),
    );
    // The schema names what a missing body lacks, if it lacks anything.
    const body = codec.body(given.input ?? {});
    if ("input" in given) objectArgument(given.input, codec.operation);
    const url = new URL(this.configuration.managementUrl + path);
    for (const [name, value] of Object.entries(codec.query(query)))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const answer = await request(this.transport, {
      ...callOptions(options, codec.operation),
      operation: codec.operation,
      method,
      url,
      idempotent: operation.isIdempotent ?? method !== "POST",
      deletes: method === "DELETE",
      isGone: given.isGone,
      body,
      headers: {
        authorization: `Bearer ${this.key()}`,
        "x-api-version": this.configuration.apiVersion,
      },
    });
    return codec.answer(answer, id) as AnswerOf<O>;
  }
}
