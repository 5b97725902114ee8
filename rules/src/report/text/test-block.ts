import type { Expectation } from "../../rule-file/rule-test";
import type { RuleTestResult } from "../../rule-file/run-rule-tests";
import { visibleText, wrap } from "../describe/visible-text";

/**
 * Formats a test for people: its name and, if it failed, the answer of every
 * rule up to the one that decided. Lines have at most 80 columns if names allow
 * it.
 * @param file name of the rule file
 */
export function testBlock(test: RuleTestResult, file: string): string {
  if (test.passed) return wrap("  ✓ ", visibleText(test.name));
  const { name, expected, got, trace, line, column } = test;
  return [
    wrap("  ✗ ", visibleText(name)),
    row("expected", describeDecision(expected)),
    row("got", describeDecision(got, "for no rule matches")),
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

/** What is said of a test under a label. */
export const row = (label: string, text: string) =>
  wrap(`      ${label.padEnd(10)}`, visibleText(text));

/**
 * Says what is expected or decided, and by which rule; `otherwise` is the text
 * if no rule decides.
 */
export function describeDecision(
  { result, rule }: Expectation,
  otherwise?: string,
): string {
  if (rule !== undefined) return `${result} by ${visibleText(rule)}`;
  return otherwise === undefined ? result : `${result}, ${otherwise}`;
}
