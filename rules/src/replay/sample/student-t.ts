/** Degrees of freedom and the 97.5 % quantile of Student's distribution for them. */
const QUANTILES = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [7, 2.365],
  [8, 2.306],
  [9, 2.262],
  [10, 2.228],
  [12, 2.179],
  [15, 2.131],
  [20, 2.086],
  [30, 2.042],
  [60, 2.0],
  [120, 1.98],
] as const;

/** How many standard errors to either side hold a value with a confidence of 95 %; rather a bit too many than too few. */
export function studentT(degreesOfFreedom: number): number {
  const row = QUANTILES.findLast(([degrees]) => degrees <= degreesOfFreedom);
  return (row ?? QUANTILES[0])[1];
}
