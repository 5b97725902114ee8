import type { Region } from "@devid/sdk";
import { PageLimit, Pagination } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call } from "../http/operation";
import { member } from "../http/violations";
import type { Page, PagedTable, Place } from "../store/database/page";

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

/** The query of a paged list: its filters, `cursor` and `limit`. */
export function listQuery<Shape extends z.ZodRawShape>(
  filters: z.ZodObject<Shape, z.core.$strict>,
) {
  return filters.extend({
    cursor: z.string().optional(),
    limit: LimitText,
  });
}

/** `cursor` and `limit` of a query that has passed its schema. */
interface Paging {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * The violation of a cursor that this list of this workspace never answered.
 */
export function cursorViolations(
  { store }: Context,
  list: PagedTable,
  { workspace, query }: Call<unknown, unknown>,
): Violation[] {
  const cursor = member(query, "cursor");
  if (
    typeof cursor !== "string" ||
    store.cursors.decode(list, workspace, cursor) !== undefined
  )
    return [];
  return [
    {
      property: "cursor",
      message: "is not a cursor of this list; start again without one",
    },
  ];
}

/** Where a page starts, and how many items it may hold. */
export function pageOf(
  { store }: Context,
  list: PagedTable,
  workspace: Region,
  { cursor, limit }: Paging,
): [Place, number] {
  const place = cursor && store.cursors.decode(list, workspace, cursor);
  return [place || START, limit ?? DEFAULT_LIMIT];
}

/** The cursors of the pages beside this one; null where there is none. */
function cursorsOf(
  { store }: Context,
  list: PagedTable,
  workspace: Region,
  { next, prev }: Page<unknown>,
): { next: string | null; prev: string | null } {
  const encode = (place: Place | null) =>
    place && store.cursors.encode(list, workspace, place);
  return { next: encode(next), prev: encode(prev) };
}

/** `metadata` of most lists. */
export const Metadata = z.object({ pagination: Pagination });

/** `metadata` of the list of API keys, in camelCase (docs/contract.md, "Pagination"). */
export const CamelMetadata = z.object({
  pagination: z.object({
    nextCursor: z.string().nullable(),
    prevCursor: z.string().nullable(),
  }),
});

/** Builds the `metadata` of most lists. */
export function metadata(
  ...page: Parameters<typeof cursorsOf>
): z.output<typeof Metadata> {
  const { next, prev } = cursorsOf(...page);
  return { pagination: { next_cursor: next, prev_cursor: prev } };
}

/** Builds the `metadata` of the list of API keys. */
export function camelMetadata(
  ...page: Parameters<typeof cursorsOf>
): z.output<typeof CamelMetadata> {
  const { next, prev } = cursorsOf(...page);
  return { pagination: { nextCursor: next, prevCursor: prev } };
}
