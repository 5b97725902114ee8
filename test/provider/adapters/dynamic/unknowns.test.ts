import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UNKNOWN_TEXT as UNKNOWN } from "../../../../provider/src/adapters/dynamic/wire";
import { DynamicHost, type Properties } from "../../../helpers/dynamic-host";
import { CREATE_ONLY, FULL_INPUTS, IMMUTABLE, KINDS } from "../../full-inputs";

let host: DynamicHost;
beforeAll(async () => {
  host = await DynamicHost.start({
    "devid:endpoint": "http://127.0.0.1:9",
    "devid:managementKey": "a-management-key",
  });
});
afterAll(() => host.stop());

describe.each(KINDS)("an unknown input of %s", (kind) => {
  const full = FULL_INPUTS[kind];

  it.each(Object.keys(full))("passes the check as it is: %s", async (name) => {
    const known = await host.check(kind, full);
    const { inputs, failures } = await host.check(kind, {
      ...full,
      [name]: UNKNOWN,
    });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...known.inputs, [name]: UNKNOWN });
  });

  it.each(Object.keys(full))(
    "is a change, and replaces only where it must: %s",
    async (name) => {
      const { inputs } = await host.check(kind, full);
      const done = { verified: true, replacedLegacy: "wh_legacy" };
      const state = { ...inputs, ...done, schemaVersion: 1 };
      const news = { ...inputs, [name]: UNKNOWN };
      expect(await host.diff(kind, "id", state, news)).toEqual({
        changes: !CREATE_ONLY[kind].includes(name),
        replaces: IMMUTABLE[kind].filter((immutable) => immutable === name),
      });
    },
  );
});

describe("an unknown part of a rule", () => {
  const first = { name: "first", expression: "true", action: "deny" };
  const check = (rule: unknown) =>
    host.check("FilteringRuleSet", { rules: [first, rule] });
  const state = async () => {
    const { inputs } = await host.check("FilteringRuleSet", { rules: [first] });
    return { ...inputs, schemaVersion: 1 };
  };

  it.each<[string, Properties]>([
    ["expression", { expression: UNKNOWN }],
    ["action", { action: UNKNOWN }],
    ["status", { status: UNKNOWN }],
    ["denyWith", { denyWith: UNKNOWN }],
  ])("leaves the rules in the state's form: %s", async (_, part) => {
    const { inputs, failures } = await check({
      ...first,
      name: "second",
      ...part,
    });
    expect(failures).toEqual([]);
    const rules = inputs.rules as Record<string, Properties>;
    expect(rules.first).toEqual({
      expression: "true",
      action: "deny",
      status: "enabled",
      denyWith: "Forbidden",
      after: "",
    });
    expect(rules.second).toMatchObject({ ...part, after: "first" });
    const diff = await host.diff(
      "FilteringRuleSet",
      "ae_first",
      await state(),
      inputs,
    );
    expect(diff).toEqual({ changes: true, replaces: [] });
  });

  it.each<[string, unknown]>([
    ["a name", { ...first, name: UNKNOWN }],
    ["a whole rule", UNKNOWN],
  ])("leaves the rules as they are: %s", async (_, rule) => {
    const { inputs, failures } = await check(rule);
    expect(failures).toEqual([]);
    expect(inputs.rules).toEqual([
      { ...first, status: "enabled" },
      typeof rule === "string"
        ? rule
        : { ...first, name: UNKNOWN, status: "enabled" },
    ]);
  });

  it("does not hide what is wrong beside it", async () => {
    const { failures } = await check({
      name: "",
      expression: UNKNOWN,
      action: "drop",
      extra: 1,
    });
    expect(failures.map(({ property }) => property)).toEqual([
      "rules[1].extra",
      "rules[1].name",
      "rules[1].action",
    ]);
  });
});
