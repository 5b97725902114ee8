import * as z from "zod";
import { checkInput } from "../http/check-input";
import { UnexpectedAnswerError } from "../http/errors";
import { secretsOf, type Redactor } from "../http/redact";
import { AnyErrorBody } from "../wire/error-body";
import { camelKeys, snakeKeys, type CamelKeys } from "../wire/casing";
import {
  EmptyEnvelope,
  Envelope,
  ListEnvelope,
  ListQuery,
  Pagination,
  RecordOfId,
} from "../wire/management";
import type { ManagementOperation } from "../wire/operations";

/** One page of a list. Cursors are absent where there is no further page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
  readonly prevCursor?: string;
}

/** A record of the management API in camelCase. */
export type RecordOf<S extends z.ZodObject> = CamelKeys<z.output<S>>;

/** What a call takes, in camelCase. */
export type InputOf<S extends z.ZodType<object>> = CamelKeys<z.input<S>>;

const listQueries = new WeakMap<z.ZodObject, z.ZodObject>();

/**
 * The schema of a list's filters and page options. Each schema is kept, because zod
 * compiles a new schema at its first use.
 */
function listQuery(filter: z.ZodObject): z.ZodObject {
  const known = listQueries.get(filter) ?? filter.extend(ListQuery.shape);
  listQueries.set(filter, known);
  return known;
}

/**
 * Writes the body of a call and reads its answer. The wire schemas check both, and
 * names change between camelCase and snake_case. Secrets are
 * remembered before the check, so that no message shows them.
 */
export class RecordCodec {
  constructor(
    /** For messages: the action and its object, such as `Creating webhook`. */
    private readonly doing: string,
    private readonly redactor: Redactor,
    private readonly called: ManagementOperation,
  ) {}

  /** The body in the service's spelling; undefined if the operation has none. @throws InvalidInputError */
  body(input: object): object | undefined {
    const { body } = this.called;
    return body && this.#checked(body, this.#remembered(input));
  }

  /**
   * A list's filters in the service's spelling, and its page options if it has pages.
   * @throws InvalidInputError
   */
  query(query: object): object {
    const { filter, answers } = this.called;
    if (!filter) return {};
    const schema = answers === "page" ? listQuery(filter) : filter;
    return this.#checked(schema, snakeKeys(query));
  }

  /**
   * What an operation answers. An answer to a delete is the service's own if it has no
   * body, an empty `data` alone, or the `data` of that object (docs/assumptions.md, A2).
   * @param id the ID that the record must have
   * @throws UnexpectedAnswerError
   */
  answer(answer: unknown, id?: string): unknown {
    const { answers, record: schema, mayBeBare } = this.called;
    switch (answers) {
      case "nothing":
        if (answer !== undefined) this.#checkDeletion(id, answer);
        return undefined;
      case "one": {
        if (mayBeBare && schema.safeParse(answer).success)
          return this.#read(schema, answer);
        const record = this.#read(schema, this.#data(answer));
        this.#checkId(id, record);
        return record;
      }
      case "page":
        return this.#page(schema, answer);
      case "all":
        return this.#page(schema, answer).data;
    }
  }

  /** A gateway may report an error with a status of success. */
  #checkSuccess(answer: unknown): void {
    const failed = AnyErrorBody.safeParse(answer);
    if (failed.success)
      throw this.#unexpected(
        `an error in the body (${failed.data.error.message ?? "without a message"})`,
      );
  }

  /** The `data` of an answer. */
  #data(answer: unknown): unknown {
    this.#checkSuccess(answer);
    const envelope = Envelope.safeParse(answer);
    if (!envelope.success || !Object.hasOwn(envelope.data, "data"))
      throw this.#unexpected("no `data` in the body");
    return envelope.data.data;
  }

  /** Checks that a record that has an ID is the record that was asked for. */
  #checkId(id: string | undefined, record: unknown): void {
    const { id: found = id } = record as { readonly id?: unknown };
    if (id !== undefined && found !== id)
      throw this.#unexpected(`the body is about ${String(found)}`);
  }

  /** A body that is nothing but an empty `data` is the service's own, too. */
  #checkDeletion(id: string | undefined, answer: unknown): void {
    const data = this.#data(answer);
    if (EmptyEnvelope.safeParse(answer).success) return;
    if (!RecordOfId.safeParse(data).success)
      throw this.#unexpected("a body that is not about the deleted object");
    this.#checkId(id, data);
  }

  /** The page of an answer `{data: [record], metadata: {pagination}}`. */
  #page<S extends z.ZodObject>(schema: S, answer: unknown): Page<RecordOf<S>> {
    this.#checkSuccess(answer);
    const envelope = ListEnvelope.safeParse(answer);
    if (!envelope.success) throw this.#unexpected("no list `data` in the body");
    const cursors = Pagination.safeParse(
      snakeKeys(envelope.data.metadata?.pagination ?? {}),
    );
    if (!cursors.success)
      throw this.#unexpected(z.prettifyError(cursors.error));
    return {
      data: envelope.data.data.map((item) => this.#read(schema, item)),
      // An empty cursor would lead to the first page again.
      nextCursor: cursors.data.next_cursor || undefined,
      prevCursor: cursors.data.prev_cursor || undefined,
    };
  }

  #read<S extends z.ZodObject>(schema: S, value: unknown): RecordOf<S> {
    const result = schema.safeParse(
      typeof value === "object" && value !== null
        ? this.#remembered(value)
        : value,
    );
    if (result.success) return camelKeys(result.data);
    throw this.#unexpected(z.prettifyError(result.error));
  }

  #remembered(value: object): Record<string, unknown> {
    const snake = snakeKeys(value);
    this.redactor.add(...secretsOf(snake, this.called.secrets));
    return snake;
  }

  #checked(schema: z.ZodType, snake: object): object {
    return checkInput(schema, snake, this.operation) as object;
  }

  #unexpected(problem: string): UnexpectedAnswerError {
    return new UnexpectedAnswerError(
      this.operation,
      this.redactor.redact(problem),
      { isRead: this.called.method === "GET" },
    );
  }

  /** What is being done, without the secrets that are known by now. */
  get operation(): string {
    return this.redactor.redact(this.doing);
  }
}
