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
