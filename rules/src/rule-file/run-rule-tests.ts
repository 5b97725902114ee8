import type { Stretch } from "../language/syntax/problem";
import { compileRuleSet, type RuleTrace } from "../rule-set/evaluate-rule-set";
import type { Rule } from "../rule-set/rule";
import { mistakesInExpressions, type RuleFile } from "./rule-file";
import { RuleFileError } from "./rule-file-error";
import type { Expectation } from "./rule-test";

/** The result of one test of a rule file, at the place of what it expects in the file. */
export interface RuleTestResult extends Stretch {
  readonly name: string;
  readonly passed: boolean;
  readonly expected: Expectation;
  /** What the rules decided; `rule` is absent if none matched, which allows. */
  readonly got: Expectation;
  /** Every rule up to the one that decided, in order. */
  readonly trace: readonly RuleTrace[];
}

/** Which rules the tests of a file reach: a test reaches the rule that decides it. */
export interface RuleCoverage {
  /** Every enabled rule and how many tests it decides. */
  readonly enabled: readonly {
    readonly rule: string;
    readonly tests: number;
  }[];
  /** Names of the enabled rules that decide no test. */
  readonly notReached: readonly string[];
  /** Names of the disabled rules, which cannot decide. */
  readonly disabled: readonly string[];
}

/** The results of the tests of a rule file. */
export interface RuleTestReport {
  readonly tests: readonly RuleTestResult[];
  readonly coverage: RuleCoverage;
}

/**
 * Runs the tests of a rule file, in its order. A test passes if the rules decide as it
 * expects. If it names a rule, that rule must decide.
 * @throws RuleFileError with the place of every expression that cannot be evaluated
 */
export function runRuleTests(file: RuleFile): RuleTestReport {
  const compiled = compileRuleSet(file.rules);
  if (!compiled.ok)
    throw new RuleFileError(file.path, mistakesInExpressions(file));
  const tests = file.tests.map(({ name, request, expect }, index) => {
    const { result, decidedBy, trace } = compiled.evaluate(request);
    const got = { result, rule: decidedBy?.name };
    const { line, column, end } = file.placeOf(["tests", index, "expect"]);
    const passed =
      got.result === expect.result &&
      (expect.rule === undefined || expect.rule === got.rule);
    return { name, passed, expected: expect, got, trace, line, column, end };
  });
  return { tests, coverage: coverageOf(file.rules, tests) };
}

function coverageOf(
  rules: readonly Rule[],
  tests: readonly RuleTestResult[],
): RuleCoverage {
  const byStatus = (status: Rule["status"]) =>
    rules.filter((rule) => rule.status === status).map(({ name }) => name);
  const enabled = byStatus("enabled").map((rule) => ({
    rule,
    tests: tests.filter(({ got }) => got.rule === rule).length,
  }));
  const notReached = enabled
    .filter((one) => one.tests === 0)
    .map(({ rule }) => rule);
  return { enabled, notReached, disabled: byStatus("disabled") };
}
