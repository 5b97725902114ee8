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

describe("a rule set in state", () => {
  const [a, b] = [allow("a"), deny("b"), allow("c")];

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

  it.each(["expression", "action", "status", "denyWith"])(
    "is in the state's form when only the %s is unknown",
    (part) => {
      const rules = [{ ...known, [part]: UNKNOWN }];
      const { a } = toPartlyKnownState(rules) ?? {};
      expect(a).toMatchObject({ [part]: UNKNOWN, after: "" });
    },
  );

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

it("rules of the service get their ID into their name when a name occurs twice", () => {
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
