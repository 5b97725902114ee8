import type { Review } from "../review/review";
import {
  suiteOfFindings,
  suiteOfTests,
  type Case,
  type Suite,
} from "@devid/rules";

/** A review that could not be made, and why. */
export function suiteOfFailure(file: string, message: string): Suite {
  const problem = {
    code: "failed-review",
    severity: "error" as const,
    ...{ message, file, ...START },
  };
  return { name: `review ${file}`, file, cases: [{ name: "review", problem }] };
}

/** The place of a problem of the whole file. */
const START = { line: 1, column: 1, end: { line: 1, column: 1 } };

/**
 * All results of a review that a reviewer must look at: findings, tests, conditions.
 * @param text the text of the file, in which the edits of findings count
 */
export function suitesOfReview(review: Review, text: string): Suite[] {
  const { file, findings, tests, conditions } = review;
  return [
    suiteOfFindings(file, findings, text),
    ...("tests" in tests ? [suiteOfTests(file, tests.tests)] : []),
    ...(conditions.length === 0
      ? []
      : [
          {
            name: `conditions ${file}`,
            file,
            cases: conditions.map(({ condition, outcome, found }): Case => {
              if (outcome === "does not hold") return { name: condition };
              const unjudged =
                outcome === "cannot be judged" ? ` ${outcome}` : "";
              return {
                name: condition,
                problem: {
                  code: "fail-on",
                  severity: "error",
                  message: `${condition}${unjudged}: ${found}`,
                  ...{ file, ...START },
                  about: condition,
                },
              };
            }),
          },
        ]),
  ];
}
