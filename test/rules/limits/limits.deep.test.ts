import { describe, expect, it } from "vitest";
import {
  allows,
  compileRuleSet,
  diffRules,
  findRequest,
  lintRules,
  type Rule,
} from "../../../rules/src";
import { TimeLimit } from "../../../rules/src/time-limit";
import { hurryProcessorTime } from "../processor-time";
import { checked as checkedOf } from "../language/checked";
import { ADVERSARIAL } from "./adversarial-sets";

const SIZE = 1_000;
const LIMIT_MS = 200;
/** What one finding may take after the time is over, on a slow machine. */
const ONE_FINDING_MS = 4_000;

/** The processor time that some work takes, in milliseconds. */
function takenMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const changed = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => ({
    ...rule,
    expression: `(${rule.expression}) && sdk.version != 'z'`,
  }));

const checkedRules = (rules: readonly Rule[]) =>
  rules.map((rule) => ({ rule, expression: checkedOf(rule.expression) }));

describe.each(ADVERSARIAL)("with $name,", ({ rules }) => {
  const before = rules(SIZE);
  const after = changed(before);
  const checked = checkedRules(before);

  it("a comparison, lint and a search end soon after their limit", () => {
    const works = [
      () => diffRules(before, after, { withinMs: LIMIT_MS }),
      () => lintRules(before, { withinMs: LIMIT_MS }),
      () => findRequest(allows(checked)),
    ];
    for (const work of works)
      expect(takenMs(work)).toBeLessThan(LIMIT_MS + ONE_FINDING_MS);
  }, 60_000);

  it("less time never changes an answer that is certain", () => {
    const few = rules(100).slice(0, 60);
    const rest = few.toSpliced(few.length >> 1, 1);
    const { effect } = diffRules(few, rest);
    const [were, are] = [few, rest].map(compileRuleSet);
    hurryProcessorTime(110);
    for (let looks = 1; looks < 200; looks = Math.ceil(looks * 1.7)) {
      const cut = diffRules(few, rest, { withinMs: 110 * looks }).effect;
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

describe("a comparison that ran out of time", () => {
  const before = ADVERSARIAL[0]?.rules(50) ?? [];
  const after = before.slice(0, -1);

  it("runs again for the next caller, and is then known", () => {
    const tooLittle = diffRules(before, after, { withinMs: 0 });
    expect(tooLittle.effect.class).toBe("cannot tell");
    const full = diffRules(before, after);
    expect(full.effect.class).toBe("narrows");
    expect(diffRules(before, after, { withinMs: 0 })).toBe(full);
  });
});

it("a part of a time limit ends with the whole at the latest", () => {
  hurryProcessorTime(110);
  const whole = new TimeLimit(100);
  const part = whole.part(1_000);
  expect(part.leftMs).toBeLessThanOrEqual(100);
  while (!whole.isOver);
  expect(part.isOver).toBe(true);
});
