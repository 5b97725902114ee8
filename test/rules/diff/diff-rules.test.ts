import { describe, expect, it } from "vitest";
import { diffRules, findSteps, type Rule } from "../../../rules/src";
import { cellsOf } from "../../helpers/cells-of";
import { allow, rule } from "./rule";
import { hurryProcessorTime } from "../processor-time";

/** The steps of a diff, each in a few words. */
const steps = (before: Rule[], after: Rule[]) =>
  diffRules(before, after).changes.map((change) => {
    const { kind, rule, position } = change;
    const place = "after" in change ? ` after "${change.after}"` : "";
    return `${kind} ${rule.name}${position ? ` #${position}` : ""}${place}`;
  });

const IOS = "sdk.platform.is_ios";
const sets = (names: string) => [...names].map((name) => rule(name, IOS));

/** The names of the rules before and after, and the steps. */
const STEPS = `
abc | abc
- | ab | added a #1 after "" | added b #2 after "a"
ab | - | removed a | removed b
ab | axb | added x #2 after "a"
abc | cab | moved c #1 after ""
abc | bca | moved a #3 after "c"
abcd | badc | moved b #1 after "" | moved d #3 after "a"
abcde | xedacy | removed b | moved e #2 after "" | moved d #3 after "e" | added x #1 after "" | added y #6 after "c"
`;

describe("steps between two rule sets", () => {
  it.each(cellsOf(STEPS))(
    "%s -> %s",
    (before = "", after = "", ...expected) => {
      const [was = [], is = []] = [before, after].map((names) =>
        sets(names.replace("-", "")),
      );
      expect(steps(was, is)).toEqual(expected);
    },
  );

  it("are listed in the order of the rules, with several steps for one rule", () => {
    const before = [
      rule("gone", IOS),
      rule("off", IOS),
      rule("on", IOS, { status: "disabled" }),
      rule("last", IOS),
    ];
    const after = [
      rule("last", "true"),
      rule("on", "true"),
      rule("off", "true", { status: "disabled" }),
      rule("new", IOS),
    ];
    expect(steps(before, after)).toEqual([
      "removed gone",
      "disabled off #3",
      "edited last #1",
      "edited on #2",
      "edited off #3",
      'moved last #1 after ""',
      'moved on #2 after "last"',
      "enabled on #2",
      'added new #4 after "off"',
    ]);
  });

  it("show each rule as it is after the step", () => {
    const before = [rule("x", IOS), rule("y", IOS, { status: "disabled" })];
    const after = [
      rule("x", "true", { status: "disabled" }),
      { ...allow("y", "true") },
    ];
    const left = diffRules(before, after).changes.map(({ rule }) => rule);
    expect(left).toEqual([
      { ...before[0], status: "disabled" },
      { ...after[0], status: "disabled" },
      { ...after[1], status: "disabled" },
      after[1],
    ]);
  });
});

describe("an edit", () => {
  const edit = (before: Rule, after: Rule) => {
    const { changes } = diffRules([before], [after]);
    const [change] = changes;
    expect(changes).toHaveLength(change ? 1 : 0);
    if (change && change.kind !== "edited") expect.fail(change.kind);
    return change;
  };

  it("names the changed parts of a rule", () => {
    expect(edit(rule("r", IOS), allow("r", `${IOS} || true`))).toMatchObject({
      expression: {
        before: IOS,
        after: `${IOS} || true`,
        edits: [{ kind: "added", at: "", operator: "||", text: "true" }],
      },
      action: { before: "deny", after: "allow" },
    });
    expect(edit(rule("r", IOS), allow("r", IOS))).not.toHaveProperty(
      "expression",
    );
  });

  it("is not reported if a default is written out", () => {
    const spelt = rule("r", IOS, { denyWith: "Forbidden" });
    expect(edit(rule("r", IOS), spelt)).toBeUndefined();
    expect(edit(spelt, rule("r", IOS))).toBeUndefined();
  });

  it("of `denyWith` changes no decision", () => {
    // A service may answer with an action for denied requests that devid does not know.
    const denyWith = "Empty" as Rule["denyWith"];
    const change = edit(rule("r", IOS), rule("r", IOS, { denyWith }));
    expect(change?.denyWith).toEqual({ before: "Forbidden", after: "Empty" });
    expect(change?.effect.class).toBe("none");
    expect(change).not.toHaveProperty("expression");
  });

  it("compares expressions that do not parse as text", () => {
    expect(edit(rule("r", "a b"), rule("r", "a  b"))).toMatchObject({
      expression: {
        edits: [{ kind: "replaced", at: "", before: "a b", after: "a  b" }],
      },
      effect: { class: "cannot tell" },
    });
    expect(edit(rule("r", "a b"), rule("r", "a b"))).toBeUndefined();
    expect(edit(rule("r", "a b"), rule("r", IOS))?.expression?.edits).toEqual([
      { kind: "replaced", at: "", before: "a b", after: IOS },
    ]);
  });

  it("compares expressions that parse but do not check by their meaning", () => {
    const before = rule("r", "nothing == 1");
    expect(edit(before, rule("r", "nothing==1"))).toBeUndefined();
    expect(edit(before, rule("r", "nothing == 2"))).toMatchObject({
      expression: {
        edits: [{ at: "nothing == ...", before: "1", after: "2" }],
      },
      effect: { class: "cannot tell" },
    });
  });
});

it("lists every step without its effect if the time is over", () => {
  const [before, after] = [sets("ab"), sets("bc")];
  const { changes, effect } = diffRules(before, after, { withinMs: 0 });
  const [removed, added] = findSteps(before, after);
  const unknown = expect.objectContaining({ class: "cannot tell" }) as unknown;
  expect(changes).toEqual([
    { ...removed, effect: unknown },
    { ...added, effect: unknown },
  ]);
  expect(effect).toEqual(unknown);
});

describe("the time of a diff", () => {
  it("has a default limit", () => {
    hurryProcessorTime(11_000);
    const { effect } = diffRules([], [rule("a", "sdk.platform.is_ios")]);
    expect(effect.class).toBe("cannot tell");
  });

  it("is not spent again on the same two sets", () => {
    const [before, after] = [[], [rule("a", "sdk.platform.is_ios")]];
    const first = diffRules(before, after);
    expect(diffRules(before, [...after], { withinMs: 0 })).toBe(first);
    expect(diffRules(after, before)).not.toBe(first);
  });
});
