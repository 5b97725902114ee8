import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkExpression, compileRuleSet } from "@devid/rules";
import { stringify } from "yaml";
import { coldFigures } from "./cold-figures";
import { evaluatorFigures } from "./evaluator-figures";
import { millisecondsOf, printFigures, round, type Figure } from "./figure";
import { largeSetFigures } from "./large-set-figures";
import { requestCorpus } from "./request-corpus";
import { ruleCorpus } from "./rule-corpus";
import { median, spreadOf } from "./statistics";
import { timed } from "./timed";

const CLI = require.resolve("@devid/cli/bin/devid.js");
const SEED = 20251120;
const requests = requestCorpus(200, SEED);

function longExpression(): Figure[] {
  const term =
    "http.request.headers['Origin'][0] == 'https://shop.example' || ";
  const count = Math.floor(9_990 / term.length);
  const source = `${term.repeat(count)}true`.padEnd(10_000);
  const times = Array.from(
    { length: 15 },
    () => timed(() => checkExpression(source))[0],
  );
  return [
    millisecondsOf(
      `expression of 10,000 characters parsed and checked (${spreadOf(times, round)})`,
      median(times),
      50,
    ),
  ];
}

/** Requests that hardly any rule matches, so that nearly all rules are evaluated. */
function evaluating(): Figure[] {
  const compiled = compileRuleSet(ruleCorpus(500, SEED));
  if (!compiled.ok) throw new Error("a rule is wrong");
  let seen = 0;
  const run = () => {
    seen = 0;
    for (const request of requests)
      seen += compiled.evaluate(request).trace.length;
  };
  const times = Array.from({ length: 15 }, () => timed(run)[0]);
  const each = times.map((ms) => (ms * 1e3) / requests.length);
  const rulesSeen = Math.round(seen / requests.length);
  return [
    {
      name: `one request through a set of 500 rules, ${rulesSeen} of them looked at (${spreadOf(each, Math.round)})`,
      value: Math.round(median(each)),
      unit: "us",
      goal: "-",
      holds: true,
    },
  ];
}

/** `devid rules check` on a folder of 1,000 files with five rules each. */
function checkingFiles(): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-"));
  const rules = ruleCorpus(5_000, SEED);
  for (let n = 0; n < 1_000; n++)
    writeFileSync(
      join(folder, `${n}.yaml`),
      stringify({ rules: rules.slice(n * 5, n * 5 + 5) }),
    );
  const check = [CLI, "rules", "check", "--json", folder];
  const [ms] = timed(() =>
    execFileSync(process.execPath, check, {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      name: "devid rules check: 1,000 files of five rules in one process",
      value: round(ms / 1_000),
      unit: "s",
      goal: "-",
      holds: true,
    },
  ];
}

printFigures([
  ...coldFigures(SEED),
  ...longExpression(),
  ...evaluating(),
  ...evaluatorFigures(requests),
  ...checkingFiles(),
  ...largeSetFigures(SEED),
]);
