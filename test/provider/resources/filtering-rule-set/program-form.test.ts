import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  UNKNOWN,
  type Properties,
} from "../../../../provider/src/definition/value";
import { FilteringRuleSet } from "../../../../provider/src/resources/filtering-rule-set/filtering-rule-set";
import { sharedForTests } from "../../../helpers/local-for-tests";
import { commandOn, lifecycleOf } from "../../lifecycle-of";
import { silentSession } from "../../session-of";
import { rejection } from "../../../sdk/workspace";

type Inputs = Parameters<NonNullable<typeof FilteringRuleSet.normalize>>[0];

const unknownOr = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary }, fc.constant(UNKNOWN));
/** Rules as a check returns them: names are known, the rest may be unknown. */
const anyRules = (part: <T>(of: fc.Arbitrary<T>) => fc.Arbitrary<unknown>) =>
  fc.uniqueArray(
    fc
      .record({
        // Numeric names, because JavaScript objects sort numeric keys.
        name: fc.oneof(
          fc.stringMatching(/^[a-z -]{1,12}$/),
          fc.nat(30).map(String),
        ),
        expression: part(fc.constantFrom("true", 'sdk.version == "1"')),
        status: part(fc.constantFrom("enabled", "disabled")),
        action: fc.constantFrom("allow", "deny"),
        denyWith: part(fc.constantFrom("Forbidden", "NotFound")),
      })
      .map(({ denyWith, ...rule }) =>
        rule.action === "deny" ? { ...rule, denyWith } : rule,
      ),
    { selector: ({ name }) => name, maxLength: 12 },
  );
const settings = {
  environment: undefined,
  takeOver: false,
  allowEmpty: true,
  maxDeletedPercent: 50,
  onDrift: "fail",
};
const inputsWith = (rules: unknown) => ({ ...settings, rules }) as Inputs;
const toState = (inputs: Inputs) =>
  FilteringRuleSet.normalize?.(inputs) ?? inputs;
const toProgram = (inputs: Inputs) =>
  FilteringRuleSet.denormalize?.(inputs) ?? inputs;

it.each([
  ["known", anyRules((of) => of)],
  ["partly unknown", anyRules(unknownOr)],
])(
  "the program's form and the state's form of rules convert into each other: rules that are %s",
  (_, rules) => {
    fc.assert(
      fc.property(rules, (declared) => {
        const inputs = inputsWith(declared);
        const state = toState(inputs);
        expect(Array.isArray(state.rules)).toBe(false);
        expect(toProgram(state)).toEqual(inputs);
        // The engine sorts the names.
        const names = Object.entries(state.rules).sort();
        const sorted = { ...state, rules: Object.fromEntries(names) };
        expect(toProgram(sorted)).toEqual(inputs);
        expect(toState(toProgram(state))).toEqual(state);
        // Each conversion accepts both forms.
        expect(toState(state)).toEqual(state);
        expect(toProgram(inputs)).toEqual(inputs);
      }),
      { seed: 14, numRuns: 300 },
    );
  },
);

describe("a read by the ID alone", () => {
  const workspace = sharedForTests();

  it("also returns the rules in the program's form, which declares the rules in force", async () => {
    const rules = [
      { name: "b", expression: "true", action: "allow", status: "disabled" },
      { name: "a", expression: "true", action: "deny", status: "enabled" },
    ];
    const { environment } = workspace.service.workspaces.us;
    await workspace.enforce(rules, environment);
    const lifecycle = commandOn(workspace).lifecycle("FilteringRuleSet");
    const read = await lifecycle.read({ id: environment, owns: true });
    // Values equal to their defaults are left out.
    expect(read?.program).toStrictEqual({
      environment,
      rules: [rules[0], { ...rules[1], denyWith: "Forbidden" }],
    });
    expect(read?.inputs?.rules).toEqual({
      a: {
        expression: "true",
        action: "deny",
        status: "enabled",
        denyWith: "Forbidden",
        after: "b",
      },
      b: {
        expression: "true",
        action: "allow",
        status: "disabled",
        after: "",
      },
    });
    const checked = await lifecycle.check({
      news: read?.program ?? {},
      olds: read?.inputs ?? {},
    });
    expect(checked).toEqual({ inputs: read?.inputs, failures: [] });
    const state = read?.state ?? {};
    expect(
      lifecycle.diff({ id: environment, state, news: checked.inputs }).changes,
    ).toBe(false);
  });
});

it("a check, and so a preview, refuses rules with an API version whose rules are lists of origins", async () => {
  const session = silentSession({
    endpoint: "http://127.0.0.1:9",
    managementKey: "a-management-key",
    apiVersion: "2024-05-20",
  });
  const news = { rules: [{ name: "a", expression: "true", action: "deny" }] };
  const lifecycle = lifecycleOf("FilteringRuleSet", session);
  const { failures } = await lifecycle.check({ news });
  expect(failures).toEqual([
    {
      property: "",
      reason: expect.stringMatching(
        / version 2024-05-20 .*Use version 2025-11-20: /,
      ) as string,
    },
  ]);
});

describe("inputs that a policy's remediation has set after their check", () => {
  const workspace = sharedForTests();
  const remedied = (expression: string) => ({
    rules: [{ name: "remedied", expression, action: "deny" }],
    allowEmpty: false,
  });

  it("make the rules that the same program makes, and no later difference", async () => {
    const lifecycle = commandOn(workspace).lifecycle("FilteringRuleSet");
    const made = await lifecycle.create({ inputs: remedied("false") });
    const { id, state } = made;
    expect(state.rules).toMatchObject({
      remedied: { status: "enabled", denyWith: "Forbidden", after: "" },
    });
    const diff = (news: Properties) =>
      lifecycle.diff({ id, state, news }).changes;
    expect(diff(remedied("false"))).toBe(false);
    const inputs = remedied("true");
    expect(diff(inputs)).toBe(true);
    const updated = await lifecycle.update({ id, state, inputs });
    expect(updated.state.rules).toMatchObject({
      remedied: { expression: "true", status: "enabled" },
    });
  });

  it.each<[Properties, string]>([
    [{ rules: [{ name: "a" }] }, "rules[0].expression: is required"],
    [{ ...remedied("true"), nmae: "x" }, "nmae: is not a property here"],
    [{ rules: [null] }, "rules[0]: must be an object"],
    [{ rules: [] }, "rules: is empty, which would allow every request"],
    [{ rules: {} }, "rules: is empty, which would allow every request"],
    [remedied("1 +"), "rules[0].expression: the operator +"],
    [
      { rules: [{ ...remedied("true").rules[0], name: "__proto__" }] },
      "rules[0].name: is __proto__, a name that Pulumi cannot keep",
    ],
  ])("are refused if the check would refuse them: %j", async (inputs, why) => {
    const lifecycle = commandOn(workspace).lifecycle("FilteringRuleSet");
    const mark = await workspace.mark();
    const { message } = await rejection(lifecycle.create({ inputs }));
    expect(message).toContain(why);
    expect(message).toContain("Correct that policy.");
    expect(await workspace.requestsSince(mark)).toEqual([]);
    const state = { rules: {}, environmentId: "ae_1" };
    const { changes } = lifecycle.diff({ id: "ae_1", state, news: inputs });
    expect(typeof changes).toBe("boolean");
  });
});
