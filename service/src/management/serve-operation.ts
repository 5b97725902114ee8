import { type ManagementOperation, PageLimit } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { notFound } from "../http/answer-error";
import { type Call, operation, type Operation } from "../http/operation";
import { member, violation } from "../http/violations";
import type { AnyRow, Equal, Records } from "../store/records";

type CallOf<O extends ManagementOperation> = Call<
  O extends { filter: z.ZodType<infer Filter> } ? Filter : unknown,
  O extends { body: z.ZodType<infer Body> } ? Body : unknown
>;

/** What serving an operation returns; undefined or false if there is no such record. */
type Served<O extends ManagementOperation> = {
  readonly one: object | undefined;
  readonly page: {
    readonly data: readonly object[];
    readonly metadata: object;
  };
  readonly all: readonly object[];
  readonly nothing: boolean;
}[O["answers"]];

const Cursor = z.string().nullable();
const Cursors = z.object({ next_cursor: Cursor, prev_cursor: Cursor });

/** The form of an answer, whose records have the members of the operation's record. */
function answerOf(served: ManagementOperation): z.ZodType | undefined {
  const { answers, record, repeatsEnvironment, hasCamelCaseCursors } = served;
  switch (answers) {
    case "one":
      return z.object({
        data: record,
        ...(repeatsEnvironment && { environment: z.string().nullish() }),
      });
    case "all":
      return z.object({ data: z.array(record) });
    case "page": {
      const pagination = hasCamelCaseCursors
        ? Cursors.extend({ nextCursor: Cursor, prevCursor: Cursor })
        : Cursors;
      const metadata = z.object({ pagination });
      return z.object({ data: z.array(record), metadata });
    }
    case "nothing":
      return undefined;
  }
}

/**
 * Serves an operation of the table. `run` returns the row, the rows or the page of rows
 * that are answered. The answer has the members that its form names, and no others.
 */
export function serve<O extends ManagementOperation>(
  served: O,
  run: (call: CallOf<O>) => Served<O>,
  own: Pick<Operation, "check" | "slowCheck" | "errors" | "query"> = {},
): Operation {
  const { kind, answers, filter }: ManagementOperation = served;
  return operation({
    ...served,
    answer: answerOf(served),
    // Parameters that are no filters are ignored, as in every other list.
    ...(filter && { query: z.object(filter.shape) }),
    ...own,
    run: (call) => {
      // The schemas of the operation have checked the call.
      const found: boolean | object | undefined = run(call as CallOf<O>);
      if (found === undefined || found === false) throw notFound(kind, call.id);
      if (found === true) return undefined;
      if (answers === "page") return found;
      const { environment } = found as { readonly environment?: unknown };
      return { data: found, environment };
    },
  });
}

/**
 * The number of items on a page without a `limit` (docs/contract.md,
 * "Pagination").
 */
const DEFAULT_LIMIT = 10;

/** The options of a page. A `limit` arrives as text: the schema refuses what is no number. */
const PageQuery = z.object({
  cursor: z.string().optional(),
  limit: z.preprocess(
    (value) =>
      typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)
        ? Number(value)
        : value,
    PageLimit.optional(),
  ),
});

/**
 * Serves the list of a table by pages: docs/contract.md, "Pagination".
 * @param shown takes out of a row what only the answer to its creation shows
 */
export function serveList<Row extends AnyRow>(
  { store: { cursors } }: Context,
  records: Records<Row>,
  list: ManagementOperation,
  shown: (row: Row) => object = (row) => row,
): Operation {
  const { filter } = list;
  const purpose = ({ workspace }: Call) => `${records.table} ${workspace}`;
  return serve<ManagementOperation>(
    list,
    (call) => {
      const {
        cursor,
        limit = DEFAULT_LIMIT,
        ...rest
      } = call.query as z.output<typeof PageQuery>;
      // What is left are the members of the filter, which are columns.
      const equal = rest as Equal<Row>;
      const place = cursor ? cursors.decode(purpose(call), cursor) : undefined;
      const page = records.page(call.workspace, equal, limit, place);
      const [next_cursor, prev_cursor] = [page.next, page.prev].map(
        (neighbour) => neighbour && cursors.encode(purpose(call), neighbour),
      );
      const pagination = {
        ...{ next_cursor, nextCursor: next_cursor },
        ...{ prev_cursor, prevCursor: prev_cursor },
      };
      return { data: page.rows.map(shown), metadata: { pagination } };
    },
    {
      // Parameters that no list has are ignored: clients send some of their own, such as `ii`.
      query: z.object({ ...filter?.shape, ...PageQuery.shape }),
      check: (call) => {
        const cursor = member(call.query, "cursor");
        return typeof cursor !== "string" ||
          cursors.decode(purpose(call), cursor) !== undefined
          ? []
          : violation(
              "cursor",
              "is not a cursor of this list; start again without one",
            );
      },
    },
  );
}
