/** One measured figure and its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly holds: boolean;
}

/** Prints figures, one on each line. */
export function printFigures(figures: readonly Figure[]): void {
  for (const { name, value, unit, goal, holds } of figures)
    console.log(
      `${holds ? "holds" : "FAILS"}  ${`${value} ${unit}`.padStart(10)}  goal ${goal.padEnd(8)}  ${name}`,
    );
}

/** Two digits after the decimal point. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A figure. It may have a goal: the most or the least that it should be. */
export function figure(
  name: string,
  value: number,
  unit: string,
  { atMost = Infinity, atLeast = -Infinity } = {},
): Figure {
  const most = atMost === Infinity ? "-" : `<= ${round(atMost)}`;
  return {
    ...{ name, value: round(value), unit },
    goal: atLeast === -Infinity ? most : `>= ${atLeast}`,
    holds: value <= atMost && value >= atLeast,
  };
}
