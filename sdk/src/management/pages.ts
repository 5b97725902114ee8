import { UnexpectedAnswerError } from "../http/errors";
import type { ListOptions, Page } from "./management-api";

/** Largest page that every client of the service is known to ask for. */
const PAGE_SIZE = 100;

/**
 * Walks every item of a list, page by page, fetching a page only when it is
 * asked for. A cursor that comes back unchanged would loop for ever and is an
 * error instead.
 */
export async function* eachItem<T>(
  list: (options: ListOptions) => Promise<Page<T>>,
  options: Pick<ListOptions, "limit" | "signal"> = {},
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await list({
      limit: options.limit ?? PAGE_SIZE,
      signal: options.signal,
      cursor,
    });
    yield* page.data;
    if (cursor !== undefined && page.nextCursor === cursor)
      throw new UnexpectedAnswerError(
        "Listing",
        "the next cursor is the one that was just used",
      );
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
