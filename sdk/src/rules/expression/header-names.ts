type Headers<Values> = Readonly<Record<string, Values>>;

const byLowerCase = new WeakMap<object, ReadonlyMap<string, unknown>>();

/**
 * The values of a header, or undefined: the one place that says which names are
 * the same. A name as it was sent comes first, then any that differs in letter
 * case alone (docs/assumptions.md, A39). Headers are not to be changed afterwards.
 */
export function findHeader<Values>(
  headers: Headers<Values>,
  name: string,
): Values | undefined {
  if (Object.hasOwn(headers, name)) return headers[name];
  let index = byLowerCase.get(headers);
  if (!index) {
    // The first of several spellings stays.
    const entries = Object.entries(headers).reverse();
    index = new Map(entries.map(([key, v]) => [key.toLowerCase(), v]));
    byLowerCase.set(headers, index);
  }
  return index.get(name.toLowerCase()) as Values | undefined;
}
