import { expect, it } from "vitest";
import { diffRules } from "../../../rules/src";
import { manyRules, manyRulesChanged } from "./many-rules";

it("finds the effects of twenty changes to 500 rules in time", () => {
  const before = manyRules(500);
  const { changes, effect } = diffRules(before, manyRulesChanged(before));
  expect(changes).toHaveLength(20);
  const classes = [effect, ...changes.map((change) => change.effect)].map(
    (one) => one.class,
  );
  expect(classes).not.toContain("cannot tell");
});

it("finds that renaming every rule changes no decision", () => {
  const before = manyRules(100);
  const after = before.map((rule) => ({ ...rule, name: `${rule.name}-new` }));
  const { changes, effect } = diffRules(before, after);
  expect(changes).toHaveLength(200);
  expect(effect.class).toBe("none");
});
