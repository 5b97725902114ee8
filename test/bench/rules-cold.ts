// A process that checks, compiles and lints rules in code that never ran before.
import { checkExpression, compileExpression, lintRules } from "@devid/rules";
import { ruleCorpus } from "./rule-corpus";
import { timed } from "./timed";

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

console.log(JSON.stringify(runOnce(Number(process.argv[2]))));
