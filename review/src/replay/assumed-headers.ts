/** The headers of a rule file's `assume_not_sent`: those that count as never sent, and the new ones. */
export interface AssumedHeaders {
  readonly counted: readonly string[];
  /** Headers that are new in the file. They count from the next change on. */
  readonly added: readonly string[];
}

/**
 * Decides which headers count as never sent when past events judge a rule file. A
 * change must not loosen its own review: a header counts only if the base of the change
 * names it, too. For a base that is no rule file (`undefined`), such as the rules in
 * force, all headers of the file count.
 */
export function assumedHeaders(
  file: readonly string[],
  base: readonly string[] | undefined,
): AssumedHeaders {
  const isCounted = (name: string) => base === undefined || base.includes(name);
  return {
    counted: file.filter(isCounted),
    added: file.filter((name) => !isCounted(name)),
  };
}
