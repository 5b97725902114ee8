import { beforeAll, describe, expect, it } from "vitest";
import { fieldsMarked } from "../../../provider/src/definition/field";
import { UNKNOWN } from "../../../provider/src/definition/value";
import type { DiffResponse } from "../../../provider/src/lifecycle/requests";
import { defaultOf } from "../../../provider/src/lifecycle/state";
import * as registry from "../../../provider/src/registry";
import type { Kind } from "../../helpers/provider-host";
import type { Properties } from "../../simulation/engine/property-value";
import {
  SUPPRESS_DIFF,
  FULL_INPUTS,
  IMMUTABLE,
  KINDS,
  LEAST_INPUTS,
  MANAGED_IF_SET,
} from "../kind-rows";
import { lifecycleOf } from "../lifecycle-of";

const none: DiffResponse = {
  changes: false,
  properties: [],
  replaces: [],
};
/** Inputs whose default is in the state, too. */
const DEFAULTED = ["status", "limitMode"];

/** Inputs as the lifecycle checks them for an existing resource. */
async function checked(kind: Kind, program: Properties) {
  const news = program;
  const checked = await lifecycleOf(kind).check({ news, olds: {} });
  expect(checked.failures).toEqual([]);
  return checked.inputs;
}

describe.each(KINDS)("the difference between %s", (kind) => {
  const lifecycle = lifecycleOf(kind);
  const diff = (state: Properties, news: Properties) =>
    lifecycle.diff({ id: "id", state, news });
  const computed = {
    verified: true,
    createdAt: "2026-01-01",
    schemaVersion: 1,
  };
  let full: Properties;
  let least: Properties;
  beforeAll(async () => {
    full = await checked(kind, FULL_INPUTS[kind]);
    least = await checked(kind, LEAST_INPUTS[kind]);
  });
  const changed = (
    name: string,
    ...properties: readonly (readonly ["add" | "update" | "delete", string])[]
  ): DiffResponse => {
    if (SUPPRESS_DIFF[kind].includes(name)) return none;
    const replaces = IMMUTABLE[kind].includes(name);
    return {
      changes: true,
      properties: properties.map(([kind, path]) => ({ path, kind, replaces })),
      replaces: replaces ? [name] : [],
    };
  };

  it("and a state with the default of each setting is none", () => {
    const settings = fieldsMarked(registry[kind].inputs, "setting");
    const usual = settings.map((name): [string, unknown] => [
      name,
      defaultOf(registry[kind].inputs.shape[name as never]),
    ]);
    const state = { ...least, ...computed, ...Object.fromEntries(usual) };
    expect(diff(state, least)).toEqual(none);
  });

  it("and a state that lacks the defaults is none", () => {
    const given = Object.keys(LEAST_INPUTS[kind]);
    const isGiven = ([name]: [string, unknown]) => given.includes(name);
    const state = {
      ...Object.fromEntries(Object.entries(least).filter(isGiven)),
      ...computed,
    };
    expect(diff(state, least)).toEqual(none);
  });

  it.each(Object.keys(FULL_INPUTS[kind]))(
    "includes a %s that the state lacks",
    (name) => {
      const { [name]: _, ...without } = { ...full, ...computed } as Properties;
      const how = DEFAULTED.includes(name) && kind !== "EncryptionKey";
      expect(diff(without, full)).toMatchObject(
        changed(name, [how ? "update" : "add", name]),
      );
    },
  );

  it.each(Object.keys(FULL_INPUTS[kind]))(
    "includes a %s that the program removed, or its default, unless the service chooses the value then",
    (name) => {
      const state = { ...full, ...computed };
      const { [name]: _, ...without } = full;
      const isKept = MANAGED_IF_SET[kind].includes(name);
      const how = DEFAULTED.includes(name) && kind !== "EncryptionKey";
      expect(diff(state, without)).toMatchObject(
        isKept ? none : changed(name, [how ? "update" : "delete", name]),
      );
    },
  );
});

describe("the difference between rule sets", () => {
  const lifecycle = lifecycleOf("FilteringRuleSet");
  const a = {
    name: "a",
    expression: "true",
    action: "deny",
    status: "enabled",
    denyWith: "Forbidden",
  };
  const { name, ...content } = a;
  const record = { [name]: { ...content, after: "" } };
  const switches = {
    takeOver: false,
    allowEmpty: false,
    maxDeletedPercent: 50,
    onDrift: "fail",
  };
  const diff = (state: unknown, rules: unknown, more: Properties = {}) =>
    lifecycle.diff({
      id: "ae_1",
      state: { ...switches, rules: state, ...more },
      news: { ...switches, rules },
    });

  it.each([
    ["an array and a record", [a], record],
    ["a record and an array", record, [a]],
    ["arrays", [a], [a]],
  ])("is none between %s of the same rules", (_, state, inputs) => {
    expect(diff(state, inputs)).toEqual(none);
  });

  it("is reported rule by rule, field by field", () => {
    const b = { ...a, name: "b" };
    const was = [a, b, { ...a, name: "block crawlers" }];
    const { properties } = diff(was, [
      { ...a, action: "allow", denyWith: undefined },
      { ...a, name: "new" },
      b,
    ]);
    const said = properties.map(({ path, kind }) => `${kind} ${path}`);
    expect(said.sort()).toEqual([
      "add rules.new",
      "delete rules.a.denyWith",
      'delete rules["block crawlers"]',
      "update rules.a.action",
      "update rules.b.after",
    ]);
    expect(properties.every(({ replaces }) => !replaces)).toBe(true);
  });

  it("names the rules that stand behind another rule now", () => {
    const rules = (...names: string[]) => names.map((name) => ({ ...a, name }));
    const paths = (was: string[], is: string[]) =>
      diff(rules(...was), rules(...is)).properties.map(
        ({ kind, path }) => `${kind} ${path}`,
      );
    expect(paths(["a", "b", "c"], ["a", "new", "b", "c"])).toEqual([
      "update rules.b.after",
      "add rules.new",
    ]);
    expect(paths(["a"], ["new", "a"])).toEqual([
      "update rules.a.after",
      "add rules.new",
    ]);
    expect(paths(["a"], ["a", "new"])).toEqual(["add rules.new"]);
    expect(paths(["a", "b", "c"], ["c"])).toEqual([
      "delete rules.a",
      "delete rules.b",
      "update rules.c.after",
    ]);
    expect(paths(["a", "b", "c"], ["b", "new", "a", "c"]).sort()).toEqual([
      "add rules.new",
      "update rules.a.after",
      "update rules.b.after",
      "update rules.c.after",
    ]);
  });

  it("is none when the program ignores it, by any path", () => {
    const named = { ...a, name: 'a "b".c' };
    // The name of the last rule is also the sign for every name.
    const others = ["d", "*"].map((name) => ({ ...a, name }));
    const changed = [{ ...named, expression: "false" }, ...others];
    const ignoring = (path: string) =>
      lifecycle.diff({
        id: "ae_1",
        state: { ...switches, rules: [named, ...others] },
        news: { ...switches, rules: changed },
        ignoreChanges: [path],
      }).changes;
    expect(ignoring("rules")).toBe(false);
    expect(ignoring("rules[0].expression")).toBe(false);
    expect(ignoring("rules.[0].expression")).toBe(false);
    expect(ignoring("rules[*].expression")).toBe(false);
    expect(ignoring(String.raw`rules["a \"b\".c"].expression`)).toBe(false);
    expect(ignoring(String.raw`rules["a \"b\".c"]`)).toBe(false);
    expect(ignoring("rules.d")).toBe(true);
    expect(ignoring('rules["nowhere"]')).toBe(true);
    expect(ignoring("takeOver")).toBe(true);
  });

  it("has paths that the engine can read, whatever the names of the rules are", () => {
    const paths = (name: string) =>
      diff([a], [a, { ...a, name }]).properties.map(
        ({ kind, path }) => `${kind} ${path}`,
      );
    expect(paths('the "best"')).toEqual([
      String.raw`add rules["the \"best\""]`,
    ]);
    expect(paths("a\\b c")).toEqual([String.raw`add rules["a\b c"]`]);
    expect(paths("ends in \\")).toEqual(["update rules"]);
  });

  it("includes a rule with an unknown part", () => {
    expect(diff(record, [{ ...a, expression: UNKNOWN }])).toEqual({
      changes: true,
      properties: [
        { path: "rules.a.expression", kind: "update", replaces: false },
      ],
      places: ["rules[0].expression"],
      replaces: [],
      summary: expect.stringMatching(
        /\n~ {3}1 a deny {2}expression edited\n1 change/,
      ) as string,
    });
  });

  it("is none when only IDs differ and nobody rewrote the rules", () => {
    const ids = { a: "tr_1" };
    expect(
      diff(record, [a], { ruleIds: ids, seenRuleIds: ids, environment: "x" }),
    ).toEqual(none);
    expect(diff(record, [a], { ruleIds: ids })).toEqual(none);
    expect(diff(record, [a], { ruleIds: ids, seenRuleIds: {} })).toEqual(none);
  });

  it("causes an update when somebody else wrote equal rules again", () => {
    expect(
      diff(record, [a], {
        ruleIds: { a: "tr_1" },
        seenRuleIds: { a: "tr_2" },
      }),
    ).toEqual({
      ...none,
      changes: true,
      summary: expect.toSay("rule-set/rules-of-somebody-else-in-force"),
    });
  });

  it("causes an update when somebody else wrote rules that the program declares since", () => {
    const ruleIds = { x: "tr_0" };
    const seenRuleIds = { a: "tr_2" };
    expect(diff(record, [a], { ruleIds, seenRuleIds })).toMatchObject({
      changes: true,
      properties: [],
      summary: expect.stringContaining(
        "perhaps another stack, are in force: a;",
      ) as string,
    });
  });
});
