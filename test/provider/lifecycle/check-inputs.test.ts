import { Rules } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkInputs } from "../../../provider/src/lifecycle/check-inputs";
import { UNKNOWN } from "../../../provider/src/definition/value";

const schema = z.object({
  name: z.string().min(3),
  status: z.enum(["on", "off"]).default("on"),
  limits: z
    .object({ daily: z.number().min(1), hourly: z.number().default(5) })
    .optional(),
  rules: z.union([Rules, z.record(z.string(), z.object({ a: z.string() }))]),
});
const rule = { name: "first", expression: "true", action: "deny" };
const good = { name: "shop", rules: [rule] };
const properties = (inputs: object) =>
  checkInputs(schema, { ...inputs }).failures.map((f) => f.property);

describe("checking inputs", () => {
  it("applies defaults, nested ones too", () => {
    const { values, failures } = checkInputs(schema, {
      ...good,
      limits: { daily: 1 },
    });
    expect(failures).toEqual([]);
    expect(values).toEqual({
      name: "shop",
      status: "on",
      limits: { daily: 1, hourly: 5 },
      rules: [{ ...rule, status: "enabled" }],
    });
  });

  it("names the property of every failure, with its path", () => {
    const rules = [rule, { name: "second", expression: " ", action: "no" }];
    expect(
      properties({ name: "x", status: "?", limits: { daily: 0 }, rules }),
    ).toEqual([
      "name",
      "status",
      "limits.daily",
      "rules[1].expression",
      "rules[1].action",
    ]);
    expect(properties({ rules: [] })).toEqual(["name"]);
    expect(properties({ ...good, name: [] })).toEqual(["name"]);
  });

  it("refuses an unknown property, and lists the known ones", () => {
    const { failures } = checkInputs(schema, { ...good, nmae: "shop" });
    expect(failures).toEqual([
      {
        path: ["nmae"],
        property: "nmae",
        reason:
          "is not a property here; the properties are name, status, limits, rules",
      },
    ]);
    expect(properties({ ...good, rules: [{ ...rule, place: 1 }] })).toEqual([
      "rules[0]",
    ]);
  });

  it.each([
    ["an array", [{ ...rule, expression: "" }], ["rules[0].expression"]],
    ["an array with a name twice", [rule, rule], ["rules[1].name"]],
    ["an array of something else", ["first"], ["rules[0]"]],
    ["a record", { first: { a: 1 } }, ["rules.first.a"]],
  ])(
    "reports only the mistakes of the matching form of a union: %s",
    (_, rules, expected) => {
      expect(properties({ ...good, rules })).toEqual(expected);
    },
  );
});

describe("an unknown value", () => {
  it("passes unchanged, while everything around it is checked", () => {
    const { values, failures } = checkInputs(schema, {
      name: UNKNOWN,
      status: "?",
      limits: { daily: UNKNOWN, hourly: "x", weekly: 1 },
      rules: [
        { ...rule, expression: UNKNOWN, action: "no" },
        UNKNOWN,
        { ...rule, name: "third", extra: 1 },
      ],
    });
    expect(failures.map((f) => f.property)).toEqual([
      "status",
      "limits.weekly",
      "limits.hourly",
      "rules[0].action",
      "rules[2]",
    ]);
    expect(values).toMatchObject({
      name: UNKNOWN,
      limits: { daily: UNKNOWN },
      rules: [{ expression: UNKNOWN }, UNKNOWN, { name: "third" }],
    });
  });

  it("is no excuse for a list or an object in place of a text", () => {
    const wrong = { name: [UNKNOWN], status: { on: UNKNOWN } };
    expect(properties({ ...good, ...wrong })).toEqual(["name", "status"]);
  });

  it("does not prevent the defaults of its neighbours", () => {
    const { values } = checkInputs(schema, {
      ...good,
      limits: { daily: UNKNOWN },
      rules: [{ ...rule, expression: UNKNOWN }],
    });
    expect(values).toMatchObject({
      limits: { daily: UNKNOWN, hourly: 5 },
      rules: [{ status: "enabled" }],
    });
  });
});
