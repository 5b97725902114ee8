import {
  all,
  any,
  compileExpression,
  fails,
  findRequest,
  matches,
  not,
  type CheckedExpression,
  type Condition,
  type RuleRequest,
} from "@devid/rules";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkedOf } from "../language/checked";
import { documented, supported } from "../language/random-expression";
import { request } from "../language/random-request";
import { isPossible } from "./is-possible";

/** Requests that every condition is tried with. */
const REQUESTS = fc.sample(request.filter(isPossible), {
  numRuns: 200,
  seed: 7,
});

const conditionOf = (expression: fc.Arbitrary<CheckedExpression>) =>
  fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      expression.map(matches),
      expression.map(fails),
      tie("condition").map(not),
      fc.array(tie("condition"), { maxLength: 3 }).map((of) => all(...of)),
      fc.array(tie("condition"), { maxLength: 3 }).map((of) => any(...of)),
    ),
  })).condition;

/** Whether a request meets a condition, decided without the code under test. */
function meets(condition: Condition, request: RuleRequest): boolean {
  switch (condition.kind) {
    case "evaluates": {
      const { expression, to } = condition;
      const result = compileExpression(expression).evaluate(request);
      return ("value" in result ? result.value : undefined) === to;
    }
    case "all":
      return condition.of.every((one) => meets(one, request));
    case "any":
      return condition.of.some((one) => meets(one, request));
    case "not":
      return !meets(condition.of, request);
  }
}

const counts: Record<string, number> = {};

function check(condition: Condition, tried: readonly RuleRequest[]): void {
  const found = findRequest(condition);
  counts[found.answer] = (counts[found.answer] ?? 0) + 1;
  if (found.answer === "found")
    expect(meets(condition, found.request)).toBe(true);
  if (found.answer === "none")
    for (const one of tried)
      if (meets(condition, one))
        throw new Error(`${JSON.stringify(one)} meets it`);
}

const RUNS = 1_000;
const somewhere = fc
  .integer({ min: 0, max: REQUESTS.length - 60 })
  .map((from) => REQUESTS.slice(from, from + 60));

it("documented operators: no answer is wrong, and most questions have an answer", () => {
  for (const key of Object.keys(counts)) delete counts[key];
  fc.assert(fc.property(conditionOf(checkedOf(documented)), somewhere, check), {
    numRuns: RUNS,
  });
  expect((counts["cannot tell"] ?? 0) / RUNS).toBeLessThan(0.1);
});

it("the whole language: no answer is wrong", () => {
  for (const key of Object.keys(counts)) delete counts[key];
  fc.assert(fc.property(conditionOf(checkedOf(supported)), somewhere, check), {
    numRuns: RUNS,
  });
});
