import fc from "fast-check";
import { expect, it } from "vitest";
import {
  applyChanges,
  diffRules,
  type CheckedExpression,
  type Rule,
  type RuleSetEffect,
} from "../../../rules/src";
import { checked, resultFor } from "../language/checked";
import { requests, rules as someRules } from "../lint/small-world";

/** An expression, and the requests of the small world for which it is true. */
interface Known {
  readonly expression: CheckedExpression;
  readonly matches: readonly boolean[];
}

const expressions = new Map<string, Known>();

function known(source: string): Known {
  const found = expressions.get(source);
  if (found) return found;
  const expression = checked(source);
  const matches = requests.map((one) => resultFor(expression, one) === true);
  const made = { expression, matches };
  expressions.set(source, made);
  return made;
}

/** The decision of the rules, given which of them match. */
function decide(
  rules: readonly Rule[],
  isMatch: (expression: Known) => boolean | undefined,
): Rule["action"] {
  const deciding = rules.find(
    ({ status, expression }) =>
      status === "enabled" && isMatch(known(expression)),
  );
  return deciding?.action ?? "allow";
}

it("the effect of a change is right for every request of a small world", () => {
  const answers = { found: 0, none: 0, "cannot tell": 0 };
  const check = (
    { newlyDenied, newlyAllowed }: RuleSetEffect,
    was: readonly Rule[],
    is: readonly Rule[],
  ) => {
    const halves = [
      { found: newlyDenied, allowing: was, denying: is },
      { found: newlyAllowed, allowing: is, denying: was },
    ];
    for (const { found, allowing, denying } of halves) {
      answers[found.answer]++;
      const isShown = (isMatch: Parameters<typeof decide>[1]) =>
        decide(allowing, isMatch) === "allow" &&
        decide(denying, isMatch) === "deny";
      if (found.answer === "found") {
        const { request } = found;
        const isTrue = (one: Known) =>
          resultFor(one.expression, request) === true;
        expect(isShown(isTrue)).toBe(true);
      }
      if (found.answer === "none")
        for (const place of requests.keys())
          if (isShown(({ matches }) => matches[place]))
            expect.fail(JSON.stringify(requests[place]));
    }
  };
  fc.assert(
    fc.property(someRules, someRules, fc.nat(), (before, made, turn) => {
      const at = turn % (made.length + 1);
      const after = [...made.slice(at), ...made.slice(0, at)];
      const { changes, effect } = diffRules(before, after);
      check(effect, before, after);
      let rules: readonly Rule[] = before;
      for (const change of changes) {
        const next = applyChanges(rules, [change]);
        check(change.effect, rules, next);
        rules = next;
      }
    }),
    { numRuns: 100 },
  );
  expect(answers.found).toBeGreaterThan(100);
  expect(answers.none).toBeGreaterThan(100);
  const all = answers.found + answers.none + answers["cannot tell"];
  expect(answers["cannot tell"] / all).toBeLessThan(0.1);
});
