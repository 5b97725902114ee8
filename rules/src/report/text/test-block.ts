import type { Expectation } from "../../rule-file/rule-test";
import type { RuleTestResult } from "../../rule-file/run-rule-tests";
import { visibleText, wrap } from "../describe/visible-text";

/**
 * A test for people, in lines of at most 80 columns where names allow it: its
 * name, and where it failed what every rule said up to the one that decided.
 * @param file what the rule file is called
 */
export function testBlock(test: RuleTestResult, file: string): string {
  if (test.passed) return wrap("  ✓ ", visibleText(test.name));
  const { name, expected, got, trace, line, column } = test;
  return [
    wrap("  ✗ ", visibleText(name)),
    wrap("      expected  ", describeDecision(expected)),
    wrap("      got       ", describeDecision(got, "for no rule matches")),
    ...trace.flatMap(({ rule, outcome, problem }, index) => [
      wrap(
        `      ${index === 0 ? "rules" : "     "}     ${outcome.padEnd(11)}  `,
        visibleText(rule),
      ),
      ...(problem ? [wrap(" ".repeat(29), visibleText(problem.message))] : []),
    ]),
    `      at        ${visibleText(file)}:${line}:${column}`,
  ].join("\n");
}

/** What is expected or decided, and by which rule; `otherwise` stands where there is none. */
export function describeDecision(
  { result, rule }: Expectation,
  otherwise?: string,
): string {
  if (rule !== undefined) return `${result} by ${visibleText(rule)}`;
  return otherwise === undefined ? result : `${result}, ${otherwise}`;
}
