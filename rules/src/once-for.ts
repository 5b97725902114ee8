/** A function that calculates its result when it is first called, and keeps it. */
export function once<Result>(calculate: () => Result): () => Result {
  let found: { readonly result: Result } | undefined;
  return () => (found ??= { result: calculate() }).result;
}

/** A function that calculates its result once for each object, and keeps it as long as the object. */
export function onceFor<Key extends object, Result>(
  calculate: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    let found = known.get(key);
    if (!found) {
      found = { result: calculate(key) };
      known.set(key, found);
    }
    return found.result;
  };
}
