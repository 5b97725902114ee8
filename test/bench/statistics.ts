/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** The geometric mean of some numbers. */
export function geometricMean(numbers: readonly number[]): number {
  return Math.exp(
    numbers.reduce((sum, n) => sum + Math.log(n), 0) / numbers.length,
  );
}

/** The least and the greatest of some numbers, as text. */
export function spreadOf(
  numbers: readonly number[],
  rounded: (number: number) => number,
): string {
  return `${rounded(Math.min(...numbers))} to ${rounded(Math.max(...numbers))}`;
}
