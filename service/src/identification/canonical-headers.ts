/** Headers by their names in canonical form, such as `Sec-Ch-Ua`. */
export type CanonicalHeaders = Readonly<Record<string, readonly string[]>>;

/**
 * Headers under their canonical names, as rules spell them: the first letter
 * and each behind a hyphen are capital, the others small. A name that came
 * several times has several values, in their order.
 */
export function canonicalHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
): CanonicalHeaders {
  const byName = new Map<string, string[]>();
  for (const [given, value] of headers) {
    const name = canonicalName(given);
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  }
  return Object.fromEntries(byName);
}

/** Pairs out of names and values in turn, as a request has them. */
export function* pairsOf(
  rawHeaders: readonly string[],
): Generator<[string, string], void, undefined> {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    yield [rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""];
}

function canonicalName(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_, start: string, letter: string) => {
      return start + letter.toUpperCase();
    });
}
