import { anySignal } from "./abortable";
import { UnexpectedAnswerError } from "./errors";

/** One page of a walk: its items, and the key of the next page; undefined on the last one. */
interface WalkedPage<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/**
 * The items of a walk, page by page: of a list by its cursors, of a search by its pagination
 * keys. A page is fetched when the caller needs it. With `prefetch`, the next page is
 * fetched while the caller works on the current page, and that request is aborted when the
 * caller stops early.
 *
 * A key that comes a second time leads to pages that were read before, so the walk would
 * never end (docs/assumptions.md, A191).
 * @param operation the walk, for messages
 * @throws UnexpectedAnswerError at the first key that the walk had before
 */
export async function* eachOfPages<T>(
  operation: string,
  page: (
    key: string | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<WalkedPage<T>>,
  {
    first,
    prefetch = false,
    signal,
  }: {
    /** The key of the first page; undefined if the walk begins at the start. */
    readonly first?: string | undefined;
    readonly prefetch?: boolean;
    readonly signal?: AbortSignal | undefined;
  } = {},
): AsyncGenerator<T, void, undefined> {
  const stopped = prefetch ? new AbortController() : undefined;
  const ofPage = anySignal(signal, stopped?.signal);
  const fetchPage = (key: string | undefined): Promise<WalkedPage<T>> => {
    const fetched = page(key, ofPage);
    // If the caller stops early, nobody awaits this page, and its failure must not end
    // the process.
    fetched.catch(() => undefined);
    return fetched;
  };
  const seen = new Set(first === undefined ? [] : [first]);
  try {
    let coming: Promise<WalkedPage<T>> | undefined = fetchPage(first);
    while (coming) {
      const { items, next }: WalkedPage<T> = await coming;
      if (next !== undefined && seen.has(next))
        throw new UnexpectedAnswerError(
          operation,
          `the key of the next page was the key of an earlier page after ${seen.size} different ones, so the pages would repeat without end`,
          { isRead: true },
        );
      if (next !== undefined) seen.add(next);
      const more = (): Promise<WalkedPage<T>> | undefined =>
        next === undefined ? undefined : fetchPage(next);
      coming = prefetch ? more() : undefined;
      for (const item of items) {
        signal?.throwIfAborted();
        yield item;
      }
      coming ??= more();
    }
  } finally {
    stopped?.abort();
  }
}
