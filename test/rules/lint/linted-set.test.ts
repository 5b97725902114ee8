import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkExpression,
  compileExpression,
  type CheckedExpression,
  type RuleRequest,
} from "../../../rules/src";
import { LintedSet } from "../../../rules/src/lint/set/linted-set";
import { findRequest } from "../../../rules/src/solver/find-request";
import { matches } from "../../../rules/src/solver/condition";
import { documented, supported } from "../language/random-expression";
import { expression as small } from "./small-world";

const checkedOf = (source: string): CheckedExpression[] => {
  const checked = checkExpression(source);
  return checked.ok ? [checked.expression] : [];
};

const isTrue = (expression: CheckedExpression, of: RuleRequest): boolean => {
  const result = compileExpression(expression).evaluate(of);
  return "value" in result && result.value;
};

const anyExpression = fc.oneof(documented, supported, small);

describe("the request that is found for a rule", () => {
  const matchOf = (expression: string) =>
    new LintedSet([
      { name: "r", expression, action: "deny", status: "enabled" },
    ]).rules[0]?.match;

  it("matches the rule, and the solver agrees that it is possible", () => {
    fc.assert(
      fc.property(anyExpression, (source) => {
        const match = matchOf(source);
        for (const expression of checkedOf(source)) {
          if (match?.answer !== "found") continue;
          expect(isTrue(expression, match.request)).toBe(true);
          expect(findRequest(matches(expression)).answer).not.toBe("none");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "http.user_agent.is_crawler_bot && http.user_agent.is_ai_bot",
    "http.request.headers['origin'][0] == 'https://shop.example'",
    "'x-a' in http.request.headers",
    "sdk.platform.name == 'web'",
    "sdk.version == '1.0.0' && sdk.version == '2.0.0'",
  ])("does not exist if no request can match: %s", (source) => {
    expect(matchOf(source)).toEqual({ answer: "none" });
  });
});
