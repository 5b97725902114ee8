import { expect, it } from "vitest";
import { diffRules } from "../../../rules/src";
import { manyRules, manyRulesChanged } from "./many-rules";

it("tells the effects of twenty changes to 500 rules, in seconds", () => {
  const before = manyRules(500);
  const started = performance.now();
  const { changes, effect } = diffRules(before, manyRulesChanged(before));
  const elapsedMs = performance.now() - started;
  expect(changes).toHaveLength(20);
  const classes = [effect, ...changes.map((change) => change.effect)].map(
    (one) => one.class,
  );
  expect(classes).not.toContain("cannot tell");
  // It takes less than one second where nothing else runs.
  expect(elapsedMs).toBeLessThan(6_000);
});

it("finds that new names for all rules decide nothing otherwise", () => {
  const before = manyRules(100);
  const after = before.map((rule) => ({ ...rule, name: `${rule.name}-new` }));
  const { changes, effect } = diffRules(before, after);
  expect(changes).toHaveLength(200);
  expect(effect.class).toBe("none");
});
