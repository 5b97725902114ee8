import type { FilteringRule } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import { describe, expect, it } from "vitest";
import {
  fromRuleSetState,
  fromService,
  toPartlyKnownState,
  toRuleSetState,
  type RuleSetState,
} from "../../../../provider/src/resources/filtering-rule-set/rule-set-state";
import { UNKNOWN } from "../../../../provider/src/definition/value";

const allow = (name: string): Rule => ({
  name,
  expression: `sdk.version == "${name}"`,
  action: "allow",
  status: "enabled",
});
const deny = (name: string): Rule => ({
  ...allow(name),
  action: "deny",
  denyWith: "Forbidden",
});
const names = (rules: readonly Rule[]) => rules.map((rule) => rule.name);

/** The rules that a preview shows as added, removed and changed, and their changes. */
function preview(before: Rule[], after: Rule[]): string[] {
  const was = toRuleSetState(before);
  const is = toRuleSetState(after);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(
    (name) => {
      const [old, now] = [was[name], is[name]];
      if (!old) return [`+ ${name}`];
      if (!now) return [`- ${name}`];
      const fields = Object.keys(now) as (keyof typeof now)[];
      return fields
        .filter((field) => old[field] !== now[field])
        .map((field) => `~ ${name}.${field}`);
    },
  );
}

/** A repeatable source of numbers in [0, 1), for random orders. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe("a rule set in state", () => {
  it("returns every order that it was created from", () => {
    const next = numbers(2026);
    for (let round = 0; round < 200; round++) {
      const rules = Array.from({ length: Math.floor(next() * 12) }, (_, i) =>
        // Numeric names, because JavaScript objects sort numeric keys.
        next() < 0.5 ? allow(String(i)) : deny(`rule ${i}`),
      );
      const shuffled = rules
        .map((rule) => ({ rule, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ rule }) => rule);
      const state = toRuleSetState(shuffled);
      const sorted = Object.fromEntries(
        Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      expect(fromRuleSetState(sorted)).toEqual(shuffled);
    }
  });

  const [a, b, c] = [allow("a"), deny("b"), allow("c")];
  const x = deny("x");

  it.each([
    ["first", [x, a, b, c], ["~ a.after", "+ x"]],
    ["in the middle", [a, x, b, c], ["~ b.after", "+ x"]],
    ["last", [a, b, c, x], ["+ x"]],
  ])("shows an insert %s as one addition and one link", (_, after, shown) => {
    expect(preview([a, b, c], after)).toEqual(shown);
  });

  it("shows a removed rule, and the link across the gap", () => {
    expect(preview([a, b, c], [a, c])).toEqual(["- b", "~ c.after"]);
    expect(preview([a, b, c], [a, b])).toEqual(["- c"]);
  });

  it("shows a move as changed links around the rule", () => {
    expect(preview([a, b, c], [b, a, c])).toEqual([
      "~ a.after",
      "~ b.after",
      "~ c.after",
    ]);
    expect(preview([a, b, c], [a, b, c])).toEqual([]);
  });

  it("has the default answer of a deny rule when the program leaves it out", () => {
    const bare: Rule = { ...b, denyWith: undefined };
    expect(toRuleSetState([bare, a])).toMatchObject({
      b: { denyWith: "Forbidden" },
    });
    expect(toRuleSetState([bare, a]).a).not.toHaveProperty("denyWith");
  });

  const content = { expression: "true", action: "allow", status: "enabled" };
  it.each([
    ["two rules are first", { a: "", b: "" }],
    ["no rule is first", { a: "b", b: "a" }],
    ["two rules follow the same rule", { a: "", b: "a", c: "a" }],
    ["a rule follows a rule that does not exist", { a: "", b: "gone" }],
    ["rules follow each other in a circle", { a: "", b: "c", c: "b" }],
    ["a rule follows itself", { a: "", b: "b" }],
    ["a rule without a name follows itself", { "": "" }],
  ])("is refused when %s", (_, links) => {
    const state = Object.fromEntries(
      Object.entries(links).map(([name, after]) => [
        name,
        { ...content, after },
      ]),
    ) as RuleSetState;
    expect(() => fromRuleSetState(state)).toThrow(
      `through each of ${Object.keys(links).join(", ")} once`,
    );
  });
});

describe("a rule set with unknown parts", () => {
  const known = { name: "a", expression: "true", action: "deny" };

  it("is in the state's form when the names are known", () => {
    const rules = [{ ...known, expression: UNKNOWN }];
    expect(toPartlyKnownState(rules)).toEqual({
      a: { ...rules[0], name: undefined, denyWith: "Forbidden", after: "" },
    });
  });

  it.each([
    ["a name is unknown", [known, { ...known, name: UNKNOWN }]],
    ["a whole rule is unknown", [known, UNKNOWN]],
    ["two rules have the same name", [known, known]],
    ["a rule has no name", [{ expression: UNKNOWN }]],
  ])("stays in the program's form when %s", (_, rules) => {
    expect(toPartlyKnownState(rules as Record<string, unknown>[])).toBe(
      undefined,
    );
  });
});

describe("rules of the service", () => {
  it("get their ID into their name when a name occurs twice", () => {
    const rule = (id: string, name: string): FilteringRule => ({
      ...allow(name),
      id,
      denyWith: null,
    });
    const rules = fromService([
      rule("tr_1", "a"),
      rule("tr_2", "a"),
      rule("tr_3", "b"),
    ]);
    expect(names(rules)).toEqual(["a", "a (tr_2)", "b"]);
    expect(rules[0]?.denyWith).toBeUndefined();
  });
});
