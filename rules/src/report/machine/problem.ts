import type { Stretch } from "../../language/syntax/problem";
import type { TextEdit } from "../../language/syntax/text-edit";
import type { Severity } from "../../lint/set/lint";
import type { RuleFileFinding } from "../../rule-file/check-rule-file";
import type { RuleTestResult } from "../../rule-file/run-rule-tests";
import { describeDecision } from "../text/test-block";

/** A problem at a place of a file, for the formats for machines. */
export interface Problem extends Stretch {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  /** The rule, the test or the condition that it is about. */
  readonly about?: string;
  /** What the fix does, and its edits of the file. */
  readonly fix?: string;
  readonly edits?: readonly TextEdit[];
}

/** One check, and the problem that it found, if any. */
export interface Case {
  readonly name: string;
  readonly problem?: Problem;
}

/** All checks of one kind in a file: the findings of `check`, or the file's tests. */
export interface Suite {
  readonly name: string;
  readonly file: string;
  /** The text of the file, which the offsets of edits count in; absent if there are no edits. */
  readonly text?: string;
  readonly cases: readonly Case[];
}

/** The findings in a file; without any, one check that found nothing. */
export function suiteOfFindings(
  file: string,
  findings: readonly RuleFileFinding[],
  text?: string,
): Suite {
  const cases = findings.map((finding): Case => {
    const { code, severity, message, line, column, end } = finding;
    const { rule, fix, edits } = finding;
    return {
      name: rule === undefined ? code : `${code} ${rule}`,
      problem: {
        ...{ code, severity, message, line, column, end, fix, edits },
        file,
        about: rule,
      },
    };
  });
  return {
    name: `check ${file}`,
    file,
    text,
    cases: cases.length > 0 ? cases : [{ name: "no findings" }],
  };
}

/** The tests of a file. */
export function suiteOfTests(
  file: string,
  tests: readonly RuleTestResult[],
): Suite {
  return {
    name: `test ${file}`,
    file,
    cases: tests.map((test): Case => {
      const { name, passed, expected, got, line, column, end } = test;
      if (passed) return { name };
      return {
        name,
        problem: {
          code: "failed-test",
          severity: "error",
          message: `expected ${describeDecision(expected)}, got ${describeDecision(got, "for no rule matches")}`,
          ...{ file, line, column, end },
          about: name,
        },
      };
    }),
  };
}

/** The problems of suites, in their order. */
export const problemsOf = (suites: readonly Suite[]): Problem[] =>
  suites.flatMap(({ cases }) => cases.flatMap(({ problem }) => problem ?? []));

/** The message of a problem, with what it is about. */
export const wholeMessage = ({ about, message }: Problem): string =>
  about === undefined ? message : `"${about}": ${message}`;
