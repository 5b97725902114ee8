/** A function of a text that keeps its results. When it has `most` of them, it forgets them all. */
export function keepingResults<Result>(
  most: number,
  calculate: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return (text) => {
    let found = known.get(text);
    if (!found) {
      found = { result: calculate(text) };
      if (known.size >= most) known.clear();
      known.set(text, found);
    }
    return found.result;
  };
}

/** The value of a key in a map; if there is none, it is made and kept. */
export function keptIn<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  if (!map.has(key)) map.set(key, make());
  return map.get(key) as Value;
}
