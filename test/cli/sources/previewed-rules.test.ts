import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../helpers/cells-of";
import {
  FailedPreviewError,
  isPreview,
  previewedStack,
  readPreview,
  UnreadablePreviewError,
} from "@devid/pulumi/state";
import {
  pickRuleSet,
  plannedRules,
  previewedEnvironment,
  ruleSetsOf,
} from "../../../cli/src/sources/previewed-rules";
import { UsageError } from "../../../cli/src/errors";
import { inBothForms, inForm } from "../../helpers/program-form";

const TYPE = "pulumi-nodejs:dynamic/devid:FilteringRuleSet";
const RULE = {
  expression: "http.user_agent.is_crawler_bot",
  action: "deny",
  status: "enabled",
};
const STATE = {
  second: { ...RULE, after: "first" },
  first: { ...RULE, after: "" },
};

/** The parts of a preview's step that the code reads. */
interface Step {
  readonly name?: string;
  readonly parent?: string;
  readonly type?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

function preview(...steps: Step[]): string {
  const stateOf = (type: string, rules: unknown) =>
    rules === undefined ? undefined : { type, inputs: { rules } };
  return JSON.stringify({
    steps: steps.map(
      ({ name = "rules", parent = "", type = TYPE, before, after }) => ({
        op: "update",
        urn: `urn:pulumi:test::shop::${parent}${type}::${name}`,
        oldState: stateOf(type, before),
        newState: stateOf(type, after),
      }),
    ),
    changeSummary: {},
  });
}

const setsIn = (text: string) => ruleSetsOf(readPreview(text, "preview.json"));

const rulesIn = (preview: string, resource?: string) =>
  inBothForms(preview, (text) => {
    const isOne = setsIn(text).some(({ urn }) => urn === resource);
    const urn = isOne ? resource : resource && inForm("plugin", resource);
    return plannedRules(
      pickRuleSet(setsIn(text), "preview.json", urn),
      "preview.json",
    );
  });

const names = (text: string, resource?: string) =>
  rulesIn(text, resource).map(({ name }) => name);

/** The error message when the rules of a preview are read. */
function refusal(text: string, resource?: string): string {
  try {
    names(text, resource);
  } catch (error) {
    if (error instanceof UsageError || error instanceof UnreadablePreviewError)
      return error.message;
    throw error;
  }
  return expect.fail("It was not refused.");
}

it("a preview is distinguished from a rule file", () => {
  expect(isPreview(preview())).toBe(true);
  expect(isPreview('{"duration":1,"changeSummary":{"same":3}}')).toBe(true);
  expect(isPreview('{"rules":[]}')).toBe(false);
  expect(isPreview("rules: []")).toBe(false);
  expect(isPreview("{ rules: [] }")).toBe(false);
});

it("reading a preview loads no module of Pulumi", () => {
  const script = `
    require("@devid/pulumi/state");
    console.log(Object.keys(require.cache).join("\\n"));
  `;
  const options = { cwd: __dirname, encoding: "utf8" } as const;
  const loaded = execFileSync(process.execPath, ["-e", script], options);
  expect(loaded).toContain("state.js");
  expect(loaded).not.toContain("@pulumi");
});

describe("the rules of a preview", () => {
  it("have the order that `after` gives", () => {
    const stack = { type: "pulumi:pulumi:Stack", after: {} };
    const text = preview(stack, { before: {}, after: STATE });
    expect(rulesIn(text)).toEqual([
      { ...RULE, name: "first" },
      { ...RULE, name: "second" },
    ]);
  });

  it("are empty for a deleted rule set, and the new rules for a replaced one", () => {
    const deleted = { before: STATE };
    const made = { after: { first: STATE.first } };
    expect(names(preview(deleted))).toEqual([]);
    expect(names(preview(deleted, made))).toEqual(["first"]);
    expect(names(preview(made, deleted))).toEqual(["first"]);
  });

  it("are the rules of the chosen rule set", () => {
    const two = preview({ name: "a", after: {} }, { name: "b", after: STATE });
    expect(names(two, "b")).toEqual(["first", "second"]);
    expect(refusal(two)).toSay("plan/several-rule-sets");
    expect(refusal(two, "c")).toSay("plan/no-such-rule-set");
  });

  it("are chosen by URN when names are equal", () => {
    const two = preview({ parent: "my:Shop$", after: {} }, { after: STATE });
    const urn = `urn:pulumi:test::shop::${TYPE}::rules`;
    expect(names(two, urn)).toEqual(["first", "second"]);
    const list = `urn:pulumi:test::shop::my:Shop$${TYPE}::rules, ${urn}.`;
    expect(refusal(two)).toContain(list);
    expect(refusal(two, "rules")).toContain(list);
  });

  const REST = "action: deny, status: enabled";
  const REFUSED = `
a secret | {my rule: {expression: "[secret]", ${REST}, after: ""}} | has a secret at rules["my rule"].expression, which a preview does not show
secret rules | "[secret]" | has a secret at rules, which
an unknown value | [{name: 04da6b54-80e4-46f7-96ec-b56ff0331ba9, expression: "true", ${REST}}] | has a value at rules[0].name that is known only after an update
a rule that no rule set can hold | {first: {expression: "true", action: ask, status: enabled, after: ""}} | cannot be read:
rules without a single order | {first: {expression: "true", ${REST}, after: nobody}} | : The rules do not form one order
`;

  it.each(cellsOf(REFUSED))("are refused with %s", (_, text = "", message) => {
    const rules: unknown = parse(text);
    expect(refusal(preview({ after: rules }))).toContain(
      `The rule set "rules" in the preview preview.json ${message}`.replace(
        " :",
        ":",
      ),
    );
  });

  it("are missing when nothing changes them", () => {
    const text = preview({ type: "pulumi:pulumi:Stack", after: {} });
    expect(refusal(text)).toSay("plan/changes-no-rule-set");
  });

  it("are not read from a failed preview, or from another file", () => {
    const diagnostics = [
      { severity: "warning", message: "old" },
      { severity: "error", message: "error: no such environment\n" },
    ];
    expect(refusal(JSON.stringify({ diagnostics }))).toSay("plan/failed");
    expect(refusal('{"steps":[{"urn":7}]}')).toContain(
      "is not the output of pulumi preview --json: ",
    );
  });
});

describe("a preview of the engine", () => {
  const urn = (name: string, type = TYPE) =>
    `urn:pulumi:prod::shop::${type}::${name}`;
  const state = (rules: unknown, environment?: string) => ({
    type: TYPE,
    id: "ae_1",
    inputs: { rules, ...(environment && { environment }) },
    outputs: { rules, environmentId: "ae_1" },
  });
  const only = (steps: unknown[]) => {
    const text = JSON.stringify({ steps, changeSummary: {} });
    const [first, ...others] = inBothForms(text, setsIn);
    expect(others).toEqual([]);
    return first ?? expect.fail("It shows no rule set.");
  };

  it.each([
    [["create"], "create"],
    [["refresh", "update"], "update"],
    [["refresh"], "same"],
    [["same"], "same"],
    [["delete"], "delete"],
    [["create-replacement", "replace", "delete-replaced"], "replace"],
    [["delete-replaced", "replace", "create-replacement"], "replace"],
    [["delete", "create"], "replace"],
    [["import"], "create"],
  ])("with the steps %j has the operation %s", (ops, operation) => {
    const steps = ops.map((op) => ({
      op,
      urn: urn("rules"),
      oldState: op === "create" ? undefined : state({}),
      newState: op.startsWith("delete") ? undefined : state({}),
    }));
    expect(only(steps).operation).toBe(operation);
  });

  it("leaves out a rule set that the program only reads", () => {
    const read = { op: "read", urn: urn("rules"), newState: state({}) };
    const text = JSON.stringify({ steps: [read] });
    expect(inBothForms(text, setsIn)).toEqual([]);
  });

  it("has the rules of a rule set that moves from one form to the other", () => {
    const plugin = "devid:index:FilteringRuleSet";
    const set = setsIn(
      JSON.stringify({
        steps: [
          {
            op: "update",
            urn: urn("rules", plugin),
            oldState: { ...state(STATE), urn: urn("rules") },
            newState: { ...state({}), type: plugin },
          },
        ],
      }),
    );
    expect(set).toMatchObject([
      {
        name: "rules",
        operation: "update",
        before: { outputs: { rules: STATE } },
      },
    ]);
  });

  it("has as its former state the result of the refresh, and as its plan the declared rules", () => {
    const drifted = { hot: { ...RULE, after: "" } };
    const set = only([
      {
        op: "refresh",
        urn: urn("rules"),
        oldState: state(STATE),
        newState: state(drifted),
      },
      {
        op: "update",
        urn: urn("rules"),
        oldState: state(drifted),
        newState: { type: TYPE, inputs: { rules: STATE } },
      },
    ]);
    expect(set.before?.outputs.rules).toEqual(drifted);
    expect(set.after?.inputs.rules).toEqual(STATE);
  });

  it("has the declared, recorded or default environment, or an unknown one", () => {
    const after = (environment?: string) => ({
      op: "create",
      urn: urn("rules"),
      newState: { type: TYPE, inputs: { rules: {}, environment } },
    });
    const update = { op: "update", urn: urn("rules"), oldState: state({}) };
    expect(previewedEnvironment(only([after("ae_2")]))).toEqual({ id: "ae_2" });
    expect(previewedEnvironment(only([after()]))).toBe("default");
    expect(
      previewedEnvironment(only([{ ...update, newState: after().newState }])),
    ).toEqual({ id: "ae_1" });
    const unknown = after("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
    expect(previewedEnvironment(only([unknown]))).toBe("not known yet");
    const secret = only([after("[secret]")]);
    expect(() => previewedEnvironment(secret)).toSay("plan/secret-environment");
  });

  it("fails when it is empty or cut off, and its stack is still read from the part that exists", () => {
    const config = { "shop:of": "urn:pulumi:other::else::a:b:C::one" };
    const steps = [{ op: "same", urn: urn("rules") }];
    const text = JSON.stringify({ config, steps });
    const cut = text.slice(0, -3);
    expect(() => readPreview("\n", "preview.json")).toSay("plan/empty");
    expect(() => readPreview(cut, "preview.json")).toSay("plan/cut");
    expect(() => readPreview(cut, "preview.json")).toThrow(FailedPreviewError);
    expect(() => readPreview("rules: []", "rules.yaml")).toSay("plan/no-json");
    expect(previewedStack(cut)).toBe("shop/prod");
    expect(previewedStack("")).toBeUndefined();
  });

  it("reports every error that made it fail, and the engine's final message only when there is no other", () => {
    const failed = (...messages: string[]) =>
      JSON.stringify({
        diagnostics: messages.map((message) => ({
          severity: "error",
          message,
        })),
      });
    expect(
      refusal(failed("error: a\n", "error: b", "error: preview failed")),
    ).toMatch(/would do: error: a\nerror: b$/);
    expect(refusal(failed("error: preview failed\n"))).toMatch(
      /would do: error: preview failed$/,
    );
  });
});
