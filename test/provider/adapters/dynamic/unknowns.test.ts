import { describe, expect, it } from "vitest";
import { UNKNOWN_TEXT as UNKNOWN } from "../../../../provider/src/definition/engine-names";
import { HandlerHost } from "../../../helpers/handler-host";

const host = new HandlerHost({
  "devid:endpoint": "http://127.0.0.1:9",
  "devid:managementKey": "a-management-key",
});

const first = { name: "first", expression: "true", action: "deny" };

it("an unknown part of a rule does not hide mistakes in the other rules", async () => {
  const wrong = { ...first, name: "wrong", expression: "sdk.version > 3" };
  const checked = await host.check(
    "FilteringRuleSet",
    {
      rules: [
        wrong,
        { ...first, expression: UNKNOWN },
        { ...first, name: UNKNOWN },
        UNKNOWN,
        { ...first, expression: "http.user_agnt" },
        { ...wrong, action: UNKNOWN },
      ],
    },
    {},
  );
  const rows = checked.failures.map(({ property, reason }) => [
    property,
    reason.split("\n")[0],
  ]);
  expect(rows).toEqual([
    [
      "rules[4].name",
      "is also the name of another rule; names must be unique in a set",
    ],
    [
      "rules[5].name",
      "is also the name of another rule; names must be unique in a set",
    ],
    ["rules[0].expression", expect.stringContaining("> needs two")],
    ["rules[4].expression", expect.stringContaining("user_agnt")],
    ["rules[5].expression", expect.stringContaining("> needs two")],
  ]);
});

describe("a mistake in rules that the program marked as secret", () => {
  const canary = "canary_of_an_expression";
  const rule = { name: "first", action: "deny" };
  const secretRules = (rules: unknown) =>
    host.check("FilteringRuleSet", { rules, __secretInputs: ["rules"] }, {});

  it.each<[string, unknown]>([
    ["an array", [{ ...rule, expression: `sdk.version == ${canary}` }]],
    [
      "an array with something unknown in it",
      [
        { ...rule, expression: `sdk.version == ${canary}` },
        { ...rule, name: "second", expression: UNKNOWN },
      ],
    ],
    [
      "the state's form",
      {
        first: {
          expression: `sdk.version == ${canary}`,
          action: "deny",
          status: "enabled",
          after: "",
        },
      },
    ],
  ])("is reported by its place, without the text: %s", async (form, rules) => {
    const { failures } = await secretRules(rules);
    expect(failures).toEqual([
      {
        property:
          form === "the state's form"
            ? 'rules["[redacted]"].expression'
            : "rules[0].expression",
        reason:
          "has a mistake at line 1, column 16; it is a secret and not shown here",
      },
    ]);
  });

  it("is reported without the text of any other rule", async () => {
    const { failures } = await secretRules([
      { ...rule, expression: `"${canary}` },
      { ...rule, name: canary, action: canary, expression: "true" },
      { ...rule, name: canary, expression: canary },
    ]);
    expect(failures.length).toBeGreaterThan(0);
    expect(JSON.stringify(failures)).not.toContain(canary);
  });

  it("stays marked as secret in the inputs for every later call", async () => {
    const { inputs } = await secretRules([{ ...rule, expression: "true" }]);
    expect(inputs).toHaveProperty("__secretInputs", ["rules"]);
  });
});

it("a failure has nothing that acts on a terminal", async () => {
  const inputs = { rulesFile: "\u001b[2J" };
  const { failures } = await host.check("FilteringRuleSet", inputs, {});
  expect(failures[0]?.reason).toContain("\\u001b[2J.");
});
