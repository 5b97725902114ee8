import fc from "fast-check";
import { expect, it } from "vitest";
import {
  applyChanges,
  diffRules,
  parseExpression,
  RuleChangeError,
  type Rule,
  type RuleSetDiff,
} from "../../../rules/src";
import { canonicalText } from "../../../rules/src/language/syntax/print-expression";
import { rule } from "./rule";

const expression = fc.constantFrom(
  "sdk.platform.is_ios",
  "(sdk.platform.is_ios)",
  "sdk.version == '1'",
  'sdk.version == "1" and true',
  "sdk.version == '1' && true",
  "does not parse",
  "nothing.is.known",
);

/** Rule sets over the same few names, so that all kinds of changes come up. */
const rules: fc.Arbitrary<Rule[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(..."abcdefgh"),
    expression,
    action: fc.constantFrom("allow" as const, "deny" as const),
    status: fc.constantFrom("enabled" as const, "disabled" as const),
  }),
  { selector: ({ name }) => name },
);

/** A rule set as one text for all spellings of the same meaning. */
const meaningOf = (set: readonly Rule[]) =>
  set.map((rule) => {
    const parsed = parseExpression(rule.expression);
    return {
      ...rule,
      expression: parsed.ok
        ? canonicalText(parsed.expression.root)
        : rule.expression,
    };
  });

it("turns any rule set into any other", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(rules, rules, (before, after) => {
      const { changes } = diffRules(before, after);
      for (const { kind } of changes) seen.add(kind);
      const reached = applyChanges(before, changes);
      expect(meaningOf(reached)).toEqual(meaningOf(after));
      expect(diffRules(reached, after).changes).toEqual([]);
      // Without a difference there is no step.
      expect(changes.length === 0).toBe(
        JSON.stringify(meaningOf(before)) === JSON.stringify(meaningOf(after)),
      );
    }),
    { numRuns: 250 },
  );
  expect(seen.size).toBe(6);
});

it("moves as few rules as possible", () => {
  const names = [..."abcdefg"];
  const order = fc.shuffledSubarray(names, { minLength: names.length });
  fc.assert(
    fc.property(order, order, (before, after) => {
      const sets = [before, after].map((all) => all.map((name) => rule(name)));
      const [was = [], is = []] = sets;
      const { changes } = diffRules(was, is);
      const kept = names.length - changes.length;
      // If more rules could stay, they would be in the same order in both sets.
      const staying = longestCommon(before, after);
      expect(kept).toBe(staying);
    }),
    { numRuns: 300 },
  );
});

/** The length of the longest list that two orders have in common. */
function longestCommon(one: string[], other: string[]): number {
  const lengths = Array.from({ length: one.length + 1 }, () =>
    new Array<number>(other.length + 1).fill(0),
  );
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  one.forEach((name, i) =>
    other.forEach((counterpart, j) => {
      const row = lengths[i + 1] ?? [];
      row[j + 1] =
        name === counterpart
          ? at(i, j) + 1
          : Math.max(at(i, j + 1), at(i + 1, j));
    }),
  );
  return at(one.length, other.length);
}

it("applies changes that were written as JSON and read again", () => {
  const before = [rule("a"), rule("b"), rule("c")];
  const after = [rule("c"), rule("x"), rule("a", "sdk.platform.is_ios")];
  const text = JSON.stringify(diffRules(before, after));
  const { changes } = JSON.parse(text) as RuleSetDiff;
  expect(applyChanges(before, changes)).toEqual(after);
});

it("refuses changes that were found in other rules", () => {
  const { changes } = diffRules([rule("a"), rule("b")], [rule("b"), rule("a")]);
  const apply = () => applyChanges([rule("a")], changes);
  expect(apply).toThrow(RuleChangeError);
  expect(apply).toSay("rules/changes-of-other-rules");
});
