import type * as z from "zod";
import { PageKeys } from "../http/page-keys";
import { pathTo } from "../http/path";
import type { CallOptions } from "../http/request";
import type {
  ListOptions,
  ManagementApi,
  ManagementCall,
} from "./management-api";
import type { InputOf, Page, RecordOf } from "./records";

/** Largest page that every client of the service is known to ask for. */
const PAGE_SIZE = 100;

/**
 * Walks every item of a list, page by page. A page is fetched when the caller needs it.
 * @throws UnexpectedAnswerError at the first cursor that the walk had before
 */
export async function* eachItem<T>(
  list: (options: ListOptions) => Promise<Page<T>>,
  options: Omit<ListOptions, "cursor"> = {},
): AsyncGenerator<T, void, undefined> {
  const cursors = new PageKeys("Listing all");
  let cursor: string | undefined;
  do {
    const { limit = PAGE_SIZE } = options;
    const page = await list({ ...options, limit, cursor });
    yield* page.data;
    cursor = cursors.next(page.nextCursor);
  } while (cursor !== undefined);
}

/** The name, the path and the schema of the objects of a collection. */
export interface RecordSpec<R extends z.ZodObject> {
  /** Under the management URL: `/api-keys`. */
  readonly path: string;
  /** For messages: `API key`. */
  readonly singular: string;
  readonly record: R;
}

/** The calls of single objects that the collections of the management API have in common. */
export abstract class RecordCalls<R extends z.ZodObject> {
  protected abstract readonly spec: RecordSpec<R>;

  constructor(protected readonly api: ManagementApi) {}

  /** Creates an object. */
  protected createOne(
    label: string,
    body: ManagementCall["body"],
    options?: CallOptions,
  ): Promise<RecordOf<R>> {
    return this.api.one(this.spec.record, {
      operation: `Creating ${this.spec.singular} ${label}`,
      method: "POST",
      path: this.spec.path,
      body,
      ...options,
    });
  }

  /**
   * Makes a call that answers one object, and returns the object. `verb` is for
   * messages.
   */
  protected async callOne(
    verb: string,
    id: string,
    call: Partial<Omit<ManagementCall, "path">> & { readonly action?: string },
    options?: CallOptions,
  ): Promise<RecordOf<R>> {
    const { action, ...rest } = call;
    const operation = `${verb} ${this.spec.singular} ${id}`;
    return this.api.one(this.spec.record, {
      id,
      operation,
      path:
        pathTo(this.spec.path, { id }, operation) +
        (action ? `/${action}` : ""),
      ...rest,
      ...options,
    });
  }

  /** Deletes an object. */
  protected async deleteOne(id: string, options?: CallOptions): Promise<void> {
    const operation = `Deleting ${this.spec.singular} ${id}`;
    await this.api.delete(id, {
      operation,
      path: pathTo(this.spec.path, { id }, operation),
      ...options,
    });
  }
}

/** The filters of a list; no member if the schema has no fields. */
type FilterOf<F extends z.ZodObject> = keyof F["shape"] extends never
  ? unknown
  : InputOf<F>;

/** A paged collection of the management API. Its subclasses add the calls that the service has for it. */
export abstract class Collection<
  R extends z.ZodObject,
  F extends z.ZodObject,
> extends RecordCalls<R> {
  protected abstract readonly filter: F;

  /**
   * One page of the list, oldest first (docs/contract.md, "Pagination").
   *
   * @example
   * const { data, nextCursor } = await client.webhooks.list({ limit: 50 });
   */
  list(options?: FilterOf<F> & ListOptions): Promise<Page<RecordOf<R>>> {
    const { signal, timeoutMs, retry, ...query }: ListOptions = options ?? {};
    return this.api.page(this.spec.record, this.filter, {
      operation: `Listing ${this.spec.singular}s`,
      path: this.spec.path,
      query,
      ...{ signal, timeoutMs, retry },
    });
  }

  /**
   * Every object that the filter lets through, page by page.
   *
   * @example
   * for await (const webhook of client.webhooks.listAll()) console.log(webhook.url);
   */
  listAll(
    options?: FilterOf<F> & CallOptions,
  ): AsyncGenerator<RecordOf<R>, void, undefined> {
    return eachItem(
      (page) => this.list({ ...options, ...page } as FilterOf<F> & ListOptions),
      options,
    );
  }
}
