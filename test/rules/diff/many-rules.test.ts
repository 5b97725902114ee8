import { expect, it } from "vitest";
import { diffRules } from "../../../rules/src";
import { Budget } from "../../../rules/src/budget";
import { manyRules, manyRulesChanged } from "./many-rules";

const MOST_LOOKS = 500;

it("finds the effects of twenty changes to 500 rules with little work", () => {
  const before = manyRules(500);
  // The clock counts its readings. The budget does 3 ms of work between two readings.
  let looks = 0;
  const budget = new Budget(Infinity, () => looks++);
  const { changes, effect } = diffRules(before, manyRulesChanged(before), {
    budget,
  });
  expect(changes).toHaveLength(20);
  const classes = [effect, ...changes.map((change) => change.effect)].map(
    (one) => one.class,
  );
  expect(classes).not.toContain("cannot tell");
  expect(looks).toBeLessThan(MOST_LOOKS);
});

it("finds that renaming every rule changes no decision", () => {
  const before = manyRules(100);
  const after = before.map((rule) => ({ ...rule, name: `${rule.name}-new` }));
  const { changes, effect } = diffRules(before, after);
  expect(changes).toHaveLength(200);
  expect(effect.class).toBe("none");
});
