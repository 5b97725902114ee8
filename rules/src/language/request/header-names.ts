type Headers<Values> = Readonly<Record<string, Values>>;

const byLowerCase = new WeakMap<object, ReadonlyMap<string, unknown>>();

/**
 * The values of a header; undefined if it was not sent. The name as it is written
 * comes first, then a name that differs only in letter case (docs/assumptions.md,
 * A39). The object must not change afterwards, as its names are indexed once.
 */
export function findHeader<Values>(
  headers: Headers<Values>,
  name: string,
): Values | undefined {
  return Object.hasOwn(headers, name)
    ? headers[name]
    : (indexOf(headers).get(name.toLowerCase()) as Values | undefined);
}

/** A function that finds one header as `findHeader` does, for use on many requests. */
export function headerFinder(
  name: string,
): <Values>(headers: Headers<Values>) => Values | undefined {
  const inLowerCase = name.toLowerCase();
  return <Values>(headers: Headers<Values>) =>
    Object.hasOwn(headers, name)
      ? headers[name]
      : (indexOf(headers).get(inLowerCase) as Values | undefined);
}

/** The values by their names in lower case. Of several spellings, the first one counts. */
function indexOf(headers: Headers<unknown>): ReadonlyMap<string, unknown> {
  let index = byLowerCase.get(headers);
  if (!index) {
    const entries = Object.entries(headers).reverse();
    index = new Map(entries.map(([key, v]) => [key.toLowerCase(), v]));
    byLowerCase.set(headers, index);
  }
  return index;
}

/** The name of a header as Go spells it, with capitals at the start and behind each hyphen. An invalid name stays as it is. */
export function canonicalHeaderName(name: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
