import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { millisecondsOf, type Figure } from "./figure";
import { median, spreadOf } from "./statistics";

const PROCESSES = 7;

/** `rules-cold.ts`, as run.mjs bundles it. */
const PROGRAM = join(__dirname, ".bench/rules-cold.cjs");

/**
 * The cost of rules in code that never ran before, as in a command. Each figure is a
 * median over processes.
 */
export function coldFigures(seed: number): Figure[] {
  const runs = Array.from({ length: PROCESSES }, () => {
    const output = execFileSync(process.execPath, [PROGRAM, `${seed}`]);
    return JSON.parse(output.toString()) as Record<string, number>;
  });
  const figure = (name: string, part: string, goalMs?: number) => {
    const times = runs.map((run) => run[part] ?? NaN);
    const spread = spreadOf(times, Math.round);
    return millisecondsOf(`${name} (${spread})`, median(times), goalMs);
  };
  return [
    figure("1,000 rules parsed and checked, code cold", "check", 250),
    figure("1,000 rules compiled, code cold", "compile"),
    figure("500 rules linted, code cold", "lint", 2_000),
  ];
}
