import type * as z from "zod";
import { eachOfPages } from "../http/each-page";
import { callOptions, type CallOptions } from "../http/request";
import type { ManagementOperation } from "../wire/operations";
import type { ListOptions, ManagementApi } from "./management-api";
import type { InputOf, Page, RecordOf } from "./records";

/** Largest page that every client of the service is known to ask for. */
const PAGE_SIZE = 100;

const LISTING = "Listing all";

/** Every item of a list, page by page. A page is fetched when the caller needs it. */
export function eachItem<T>(
  list: (options: ListOptions) => Promise<Page<T>>,
  options: Omit<ListOptions, "cursor"> = {},
): AsyncGenerator<T, void, undefined> {
  const { signal } = callOptions(options, LISTING);
  const { limit = PAGE_SIZE } = options;
  return eachOfPages(
    LISTING,
    async (cursor) => {
      const page = await list({ ...options, limit, cursor });
      return { items: page.data, next: page.nextCursor };
    },
    { signal },
  );
}

/** The filters of a list; no member if the schema has no fields. */
type FilterOf<F extends z.ZodObject> = keyof F["shape"] extends never
  ? unknown
  : InputOf<F>;

/** The operation that lists a collection by pages. */
interface PagedList<
  R extends z.ZodObject,
  F extends z.ZodObject,
> extends ManagementOperation {
  readonly record: R;
  readonly filter: F;
  readonly answers: "page";
}

/** A paged collection of the management API. Its subclasses add the calls that the service has for it. */
export abstract class Collection<R extends z.ZodObject, F extends z.ZodObject> {
  protected abstract readonly pages: PagedList<R, F>;

  constructor(protected readonly api: ManagementApi) {}

  /**
   * One page of the list, oldest first (docs/contract.md, "Pagination").
   *
   * @example
   * const { data, nextCursor } = await client.webhooks.list({ limit: 50 });
   */
  list(options?: FilterOf<F> & ListOptions): Promise<Page<RecordOf<R>>> {
    const { signal, timeoutMs, retry, ...query }: ListOptions = options ?? {};
    return this.api.call(this.pages, { query }, { signal, timeoutMs, retry });
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
