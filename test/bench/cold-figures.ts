import { execFileSync } from "node:child_process";
import { checkExpression, compileExpression, lintRules } from "@devid/rules";
import { millisecondsOf, type Figure } from "./figure";
import { ruleCorpus } from "./rule-corpus";
import { median, spreadOf } from "./statistics";
import { timed } from "./timed";

const PROCESSES = 7;

/**
 * The cost of rules in code that never ran before, as in a command. Each figure is a
 * median over processes.
 */
export function coldFigures(seed: number): Figure[] {
  const runs = Array.from({ length: PROCESSES }, () => {
    const output = execFileSync(process.execPath, [__filename, `${seed}`]);
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

/** Milliseconds of each part, on its first run. */
function runOnce(seed: number): Record<string, number> {
  const rules = ruleCorpus(1_000, seed);
  const [check, checked] = timed(() =>
    rules.map(({ expression }) => checkExpression(expression)),
  );
  const [compile, compiled] = timed(() =>
    checked.flatMap((one) =>
      one.ok ? [compileExpression(one.expression)] : [],
    ),
  );
  if (compiled.length !== rules.length) throw new Error("a rule is wrong");
  const [lint] = timed(() => lintRules(ruleCorpus(500, seed)));
  return { check, compile, lint };
}

if (require.main === module)
  console.log(JSON.stringify(runOnce(Number(process.argv[2]))));
