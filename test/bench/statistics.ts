/** The median. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/**
 * The bounds of the middle half of some numbers, as text. A busy machine affects only
 * the outer quarters.
 */
export function spreadOf(
  numbers: readonly number[],
  rounded: (number: number) => number,
): string {
  return `${rounded(quantile(numbers, 0.25))} to ${rounded(quantile(numbers, 0.75))}`;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}
