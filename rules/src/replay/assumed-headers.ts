/** The headers that a rule file says no client sends, split by whether that counts. */
export interface AssumedHeaders {
  readonly counted: readonly string[];
  /** They are new in the file, so they count from the next change on. */
  readonly added: readonly string[];
}

/**
 * Decides which headers count as never sent when a rule file is judged by past
 * events. A change cannot open its own gate: a header counts only if the base of
 * the change names it, too. A base that is no rule file (`undefined`), such as
 * the rules in force, has no say.
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
