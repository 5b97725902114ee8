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
  return Object.hasOwn(headers, name)
    ? headers[name]
    : (indexOf(headers).get(name.toLowerCase()) as Values | undefined);
}

/** Finds one header, as `findHeader` does, in many requests. */
export function headerFinder(
  name: string,
): <Values>(headers: Headers<Values>) => Values | undefined {
  const inLowerCase = name.toLowerCase();
  return <Values>(headers: Headers<Values>) =>
    Object.hasOwn(headers, name)
      ? headers[name]
      : (indexOf(headers).get(inLowerCase) as Values | undefined);
}

/** The values by their names in lower case; the first of several spellings stays. */
function indexOf(headers: Headers<unknown>): ReadonlyMap<string, unknown> {
  let index = byLowerCase.get(headers);
  if (!index) {
    const entries = Object.entries(headers).reverse();
    index = new Map(entries.map(([key, v]) => [key.toLowerCase(), v]));
    byLowerCase.set(headers, index);
  }
  return index;
}

/** A header's name as Go keeps it: capitals at the start and behind each hyphen. A name that cannot be one stays. */
export function canonicalHeaderName(name: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
