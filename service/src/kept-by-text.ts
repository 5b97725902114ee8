/**
 * A function of a text that keeps its last answers, at most `most` of them. A text that is
 * longer than `longest` is read each time. Do not change the answers.
 */
export function keptByText<T>(
  read: (text: string) => T,
  most: number,
  longest = Infinity,
): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    if (text.length > longest) return value;
    if (kept.size >= most) kept.clear();
    kept.set(text, value);
    return value;
  };
}
