import { type ManagementOperation, PageLimit } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import {
  JsonText,
  type Call,
  operation,
  type Operation,
} from "../http/operation";
import { member, violation } from "../http/violations";
import type { Place } from "../store/database/page";
import type { Columns, RowOf, Table } from "../store/database/table";
import type { Equal, RecordTable } from "../store/records/record-table";
import type { Store } from "../store/store";

/**
 * The number of items on a page without a `limit` (docs/contract.md,
 * "Pagination").
 */
const DEFAULT_LIMIT = 10;

const START: Place = { after: 0 };

/**
 * A `limit` arrives as text: "20" becomes 20, and the schema refuses what is no
 * number.
 */
const LimitText = z.preprocess(
  (value) =>
    typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)
      ? Number(value)
      : value,
  PageLimit.optional(),
);

/**
 * Serves the list of a table by pages: docs/contract.md, "Pagination".
 */
export function listOperation<C extends Columns, R extends z.ZodObject>(
  { store }: Context,
  records: RecordTable<C>,
  list: ManagementOperation & { readonly record: R },
  show: (row: RowOf<Table<C>>) => z.output<R>,
): Operation {
  const { name, method, path, summary, isDeprecated } = list;
  const { filter, record, hasCamelCaseCursors } = list;
  const table = records.table.name;
  // Parameters that no list has are ignored: clients send some of their own, such as `ii`.
  const Query = z.object({
    ...filter?.shape,
    cursor: z.string().optional(),
    limit: LimitText,
  });
  const Cursor = z.string().nullable();
  const Cursors = z.object({
    next_cursor: Cursor,
    prev_cursor: Cursor,
    ...(hasCamelCaseCursors && { nextCursor: Cursor, prevCursor: Cursor }),
  });
  const answer = z.object({
    data: z.array(record),
    metadata: z.object({ pagination: Cursors }),
  });
  return operation({
    ...{ name, method, path, summary, isDeprecated, answer },
    query: Query,
    check: (call) => cursorViolations(store, table, call),
    run: ({ workspace, query }) =>
      // Programs ask for the same list again and again.
      store.remember(`${name} ${workspace} ${JSON.stringify(query)}`, () => {
        const { cursor, limit = DEFAULT_LIMIT, ...rest } = query;
        // What is left are the members of the filter, which are columns.
        const equal = rest as Equal<RowOf<Table<C>>>;
        const place = cursor && store.cursors.decode(table, workspace, cursor);
        const encode = (neighbour: Place | null) =>
          neighbour && store.cursors.encode(table, workspace, neighbour);
        const page = records.page(workspace, equal, place || START, limit);
        const next = encode(page.next);
        const prev = encode(page.prev);
        const pagination = {
          ...{ next_cursor: next, prev_cursor: prev },
          ...(hasCamelCaseCursors && { nextCursor: next, prevCursor: prev }),
        };
        // Each row has the fields of its record's schema, and no others.
        const data = page.rows.map(show);
        return new JsonText(JSON.stringify({ data, metadata: { pagination } }));
      }),
  });
}

/**
 * The violation of a cursor that this list of this workspace never answered.
 */
function cursorViolations(
  { cursors }: Store,
  table: string,
  { workspace, query }: Call<unknown, unknown>,
): Violation[] {
  const cursor = member(query, "cursor");
  if (
    typeof cursor !== "string" ||
    cursors.decode(table, workspace, cursor) !== undefined
  )
    return [];
  const message = "is not a cursor of this list; start again without one";
  return violation("cursor", message);
}
