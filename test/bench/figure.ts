/** One measured figure and what it is to reach. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly holds: boolean;
}

/** Prints figures, a line each; with `--json` on the command line, as one JSON array. */
export function printFigures(figures: readonly Figure[]): void {
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(figures));
    return;
  }
  for (const { name, value, unit, goal, holds } of figures)
    console.log(
      `${holds ? "holds" : "FAILS"}  ${`${value} ${unit}`.padStart(10)}  goal ${goal.padEnd(8)}  ${name}`,
    );
}

/** Two digits behind the point. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
