import { type ManagementOperation, PageLimit } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import { type Call, operation, type Operation } from "../http/operation";
import { member, violation } from "../http/violations";
import {
  recordOf,
  type AnyRow,
  type Equal,
  type Place,
  type Records,
} from "../store/records";
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
 * @param shown takes out of a row what only the answer to its creation shows
 */
export function listOperation<Row extends AnyRow>(
  { store }: Context,
  records: Records<Row>,
  list: ManagementOperation,
  shown: (row: Row) => object = (row) => row,
): Operation {
  const { name, method, path, summary, isDeprecated } = list;
  const { filter, record, hasCamelCaseCursors } = list;
  const table = records.table;
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
    run: ({ workspace, query }) => {
      const { cursor, limit = DEFAULT_LIMIT, ...rest } = query;
      // What is left are the members of the filter, which are columns.
      const equal = rest as Equal<Row>;
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
      const data = page.rows.map((row) => recordOf(record, shown(row)));
      return { data, metadata: { pagination } };
    },
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
