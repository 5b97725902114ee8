import type { z } from "zod";
import type { CallOptions } from "../http/call-options";
import type {
  InputOf,
  ListOptions,
  ManagementApi,
  Page,
  RecordOf,
} from "./management-api";
import { eachItem } from "./pages";
import { RecordCalls, type RecordSpec } from "./record-calls";

/** What a list can be filtered by; nothing where the schema has no fields. */
type FilterOf<F extends z.ZodObject> = keyof F["shape"] extends never
  ? unknown
  : InputOf<F>;

/** A paged collection of the management API. Its subclasses add the calls that the service has for it. */
export abstract class Collection<
  R extends z.ZodObject,
  F extends z.ZodObject,
> extends RecordCalls<R> {
  constructor(
    api: ManagementApi,
    spec: RecordSpec<R>,
    private readonly filter: F,
  ) {
    super(api, spec);
  }

  /** One page of the list, oldest first (docs/contract.md, "Pagination"). */
  list(options?: FilterOf<F> & ListOptions): Promise<Page<RecordOf<R>>> {
    const { signal, ...query }: ListOptions = options ?? {};
    return this.api.page(this.spec.record, this.filter, {
      operation: `Listing ${this.spec.singular}s`,
      path: this.spec.path,
      query,
      signal,
    });
  }

  /** Every object that the filter lets through, page by page. */
  listAll(
    options?: FilterOf<F> & CallOptions,
  ): AsyncGenerator<RecordOf<R>, void, undefined> {
    return eachItem(
      (page) => this.list({ ...options, ...page } as FilterOf<F> & ListOptions),
      options,
    );
  }
}
