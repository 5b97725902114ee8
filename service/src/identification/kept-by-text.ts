const MOST = 200;

/**
 * A function of a text that keeps its last answers: visits of one browser send the
 * same user agent again and again, and reading one takes long. Do not change what it
 * answers.
 */
export function keptByText<T>(read: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const value = read(text);
    if (kept.size >= MOST) kept.clear();
    kept.set(text, value);
    return value;
  };
}
