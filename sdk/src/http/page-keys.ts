import { UnexpectedAnswerError } from "./errors";

/**
 * The keys of the pages of one walk: cursors of a list, pagination keys of a search. A key
 * that comes a second time leads to pages that were read before, so the walk would never
 * end (docs/assumptions.md, A191).
 */
export class PageKeys {
  readonly #seen = new Set<string>();

  /**
   * @param operation the walk, for messages
   * @param first the key of the first page; undefined if the walk begins at the start
   */
  constructor(
    private readonly operation: string,
    first?: string,
  ) {
    if (first !== undefined) this.#seen.add(first);
  }

  /**
   * The key of the next page, as the last answer has it; undefined after the last page.
   * @throws UnexpectedAnswerError at the first key that the walk had before
   */
  next(key: string | undefined): string | undefined {
    if (key === undefined) return undefined;
    if (this.#seen.has(key))
      throw new UnexpectedAnswerError(
        this.operation,
        `the key of the next page was the key of an earlier page after ${this.#seen.size} different ones, so the pages would repeat without end`,
        { isRead: true },
      );
    this.#seen.add(key);
    return key;
  }
}
