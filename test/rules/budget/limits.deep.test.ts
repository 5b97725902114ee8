import { describe, expect, it } from "vitest";
import {
  allows,
  checkExpression,
  compileRuleSet,
  diffRules,
  findRequest,
  lintRules,
  RuleSetDiffs,
  type Rule,
} from "../../../rules/src";
import { Budget } from "../../../rules/src/budget";
import { ADVERSARIAL } from "./adversarial-sets";

const LIMIT_MS = 90;
const SIZE = 1_000;
/** The work between two readings of a budget's clock, in milliseconds. */
const LOOK_MS = 3;

/**
 * A budget whose clock counts work instead of time, so that a test ends at the same
 * step on every machine. `share` returns the work done, also after the end, as a share
 * of the limit.
 */
function countedBudget(limitMs: number) {
  let looks = 0;
  const budget = new Budget(limitMs, () => LOOK_MS * looks++);
  return { budget, share: () => (LOOK_MS * looks) / limitMs };
}

const A_QUARTER_MORE = 1.25;

const changed = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => ({
    ...rule,
    expression: `(${rule.expression}) && sdk.version != 'z'`,
  }));

const checkedRules = (rules: readonly Rule[]) =>
  rules.map((rule) => {
    const checked = checkExpression(rule.expression);
    if (!checked.ok) throw new Error(checked.problems[0]?.message);
    return { rule, expression: checked.expression };
  });

describe.each(ADVERSARIAL)("with $name,", ({ rules }) => {
  const before = rules(SIZE);

  it("a comparison takes at most a quarter more work than its limit", () => {
    const { budget, share } = countedBudget(LIMIT_MS);
    diffRules(before, changed(before), { budget });
    expect(share()).toBeLessThanOrEqual(A_QUARTER_MORE);
  });

  it("lint takes at most a quarter more work than its limit", () => {
    const { budget, share } = countedBudget(LIMIT_MS);
    lintRules(before, { budget });
    expect(share()).toBeLessThanOrEqual(A_QUARTER_MORE);
  });

  it("a search takes at most a quarter more work than its limit", () => {
    const { budget, share } = countedBudget(LIMIT_MS);
    findRequest(allows(checkedRules(before)), budget);
    expect(share()).toBeLessThanOrEqual(A_QUARTER_MORE);
  });

  it("a smaller budget never changes an answer that is certain", () => {
    const few = rules(100).slice(0, 60);
    const after = few.toSpliced(few.length >> 1, 1);
    const { effect } = diffRules(few, after);
    const [were, are] = [few, after].map(compileRuleSet);
    for (let looks = 1; looks < 200; looks = Math.ceil(looks * 1.7)) {
      let now = 0;
      const budget = new Budget(looks, () => now++);
      const cut = diffRules(few, after, { budget }).effect;
      for (const half of ["newlyDenied", "newlyAllowed"] as const) {
        const found = cut[half];
        if (found.answer === "none")
          expect(effect[half].answer).not.toBe("found");
        if (found.answer !== "found") continue;
        expect(effect[half].answer).not.toBe("none");
        if (!were?.ok || !are?.ok) continue;
        const result = half === "newlyDenied" ? "deny" : "allow";
        expect(are.evaluate(found.request).result).toBe(result);
        expect(were.evaluate(found.request).result).not.toBe(result);
      }
    }
  });
});

const LARGEST: readonly string[] = ["denies behind an allow", "quantifiers"];

/** Rule sets as large as those of the largest accounts. */
describe("10,000 rules", () => {
  it.each(ADVERSARIAL.filter(({ name }) => LARGEST.includes(name)))(
    "take at most a quarter more work than their limit: $name",
    async ({ rules }) => {
      const before = rules(10_000);
      const after = changed(before);
      const works: ((budget: Budget) => unknown)[] = [
        (budget) => lintRules(before, { budget }),
        (budget) => diffRules(before, after, { budget }),
      ];
      for (const work of works) {
        const { budget, share } = countedBudget(450);
        await work(budget);
        expect(share()).toBeLessThanOrEqual(A_QUARTER_MORE);
      }
    },
    60_000,
  );
});

describe("a comparison that ran out of time", () => {
  const before = ADVERSARIAL[0]?.rules(50) ?? [];
  const after = before.slice(0, -1);

  it("runs again for a caller with more time", () => {
    const diffs = new RuleSetDiffs();
    const tooLittle = diffs.between(before, after, { withinMs: 0 });
    expect(tooLittle.effect.class).toBe("cannot tell");
    expect(diffs.between(before, after).effect.class).toBe("narrows");
    expect(diffs.between(before, after, { withinMs: 0 }).effect.class).toBe(
      "narrows",
    );
  });
});

describe("a budget", () => {
  it("is spent when the budget that it is part of is spent", () => {
    let now = 0;
    const whole = new Budget(10, () => now);
    const part = whole.part(100);
    now = 9;
    expect(part.isSpent).toBe(false);
    now = 10;
    expect([whole.isSpent, part.isSpent]).toEqual([true, true]);
    expect(part.attempt(() => part.spend())).toBeUndefined();
  });

  it("does not start work that would take more than the time left", () => {
    const budget = new Budget(10, () => 0);
    expect(budget.attempt(() => [budget.spend(1e9)])).toBeUndefined();
    expect(budget.attempt(() => [budget.spend(10)])).toEqual([undefined]);
  });

  it("passes errors of the work on", () => {
    const budget = new Budget(10);
    expect(() =>
      budget.attempt(() => {
        throw new Error("another");
      }),
    ).toThrow("another");
  });
});
