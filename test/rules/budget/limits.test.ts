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

const LIMIT_MS = 400;
/** What a limit may be exceeded by, and what a collection of garbage may take besides. */
const QUARTER_MS = LIMIT_MS / 4 + 75;
const SIZE = 1_000;

/** The processor time that a calculation takes, in milliseconds. */
function timeOf(calculate: () => unknown): number {
  const before = process.cpuUsage();
  calculate();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The best of three: what else the machine does may disturb one of them. */
function expectWithin(limitMs: number, calculate: () => unknown): void {
  const taken: number[] = [];
  while (taken.length < 3 && !taken.some((one) => one <= limitMs))
    taken.push(timeOf(calculate));
  expect(Math.min(...taken)).toBeLessThanOrEqual(limitMs);
}

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

describe.each(ADVERSARIAL)("the time that $name take", ({ rules }) => {
  const before = rules(SIZE);

  it("is that which a comparison is given, and a quarter at most", () => {
    const after = changed(before);
    expectWithin(LIMIT_MS + QUARTER_MS, () =>
      diffRules(before, after, { withinMs: LIMIT_MS }),
    );
  });

  it("is that which lint is given, and a quarter at most", () => {
    expectWithin(LIMIT_MS + QUARTER_MS, () =>
      lintRules(before, { withinMs: LIMIT_MS }),
    );
  });

  it("is that which one search is given, and a quarter at most", () => {
    const condition = allows(checkedRules(before));
    expectWithin(LIMIT_MS + QUARTER_MS, () =>
      findRequest(condition, new Budget(LIMIT_MS)),
    );
  });

  it("makes no difference to what is said for certain", () => {
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

describe("two sets that were compared in too little time", () => {
  const before = ADVERSARIAL[0]?.rules(50) ?? [];
  const after = before.slice(0, -1);

  it("are compared again by whoever has more", () => {
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
  it("ends with the one that it is a part of", () => {
    let now = 0;
    const whole = new Budget(10, () => now);
    const part = whole.part(100);
    now = 9;
    expect(part.isSpent).toBe(false);
    now = 10;
    expect([whole.isSpent, part.isSpent]).toEqual([true, true]);
    expect(part.attempt(() => part.spend())).toBeUndefined();
  });

  it("does not begin what would take longer than is left", () => {
    const budget = new Budget(10, () => 0);
    expect(budget.attempt(() => [budget.spend(1e9)])).toBeUndefined();
    expect(budget.attempt(() => [budget.spend(10)])).toEqual([undefined]);
  });

  it("passes other errors on", () => {
    const budget = new Budget(10);
    expect(() =>
      budget.attempt(() => {
        throw new Error("another");
      }),
    ).toThrow("another");
  });
});
