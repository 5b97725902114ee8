import { compareWorkspaces, select, type Workspace } from "@devid/clone";
import { describe, expect, it } from "vitest";
import { workspaceOf } from "../workspace-of";

/** A workspace whose IDs end in `place`: its environments, each with the names of its keys. */
function placed(
  place: string,
  environments: readonly (readonly [string, ...string[]])[],
): Workspace {
  const id = (index: number) => `ae_${index + 1}${place}`;
  const named = environments.map(([name], index) => ({ id: id(index), name }));
  const status = "enabled";
  const objects = {
    Environment: named.map(({ id, name }) => ({ id, outputs: { name } })),
    ApiKey: environments.flatMap(([, ...keys], index) =>
      keys.map((name) => ({
        id: `tok_${name}${place}`,
        outputs: { name, type: "public", status, environment: id(index) },
      })),
    ),
    EncryptionKey: named.map(({ id }) => ({
      id: `ek_${id}`,
      outputs: { status, environment: id },
    })),
  };
  return workspaceOf(objects, named, `ae_0${place}`);
}

const sameNamed = (place: string, keys: readonly string[]) =>
  placed(
    place,
    keys.map((key) => ["Shop", key] as const),
  );

const differences = (before: Workspace, after: Workspace) =>
  compareWorkspaces(
    { name: "before", selection: select(before) },
    { name: "after", selection: select(after) },
  ).objects;

const compared = (before: readonly string[], after: readonly string[]) =>
  differences(sameNamed("a", before), sameNamed("b", after));

it("pairs environments with the same name by their contents, in any order", () => {
  expect(compared(["one", "two"], ["two", "one"])).toEqual([]);
});

it.each([0, 1, 2])(
  "tells those with the same name from one that is called like a numbered one, %j",
  (place) => {
    const names = ["Shop", "Shop", "Shop (2)"];
    const sides = ["b", "c"].map((changed) => {
      const whole = placed(
        changed,
        names.map((name) => [name] as const),
      );
      const { Environment: environments = [] } = whole.objects;
      const ruleSets = environments.map(({ id }, index) => {
        const text = changed === "c" && index === place ? "9.9.9" : `${index}`;
        const expression = `sdk.version == "${text}"`;
        const rule = { expression, action: "deny", status: "enabled" };
        const rules = { one: { ...rule, after: "" } };
        return { id, outputs: { environment: id, environmentId: id, rules } };
      });
      const objects = { ...whole.objects, FilteringRuleSet: ruleSets };
      return { name: changed, selection: select({ ...whole, objects }) };
    });
    const [before, after] = sides;
    if (!before || !after) return;
    const { objects, ruleSets } = compareWorkspaces(before, after);
    expect(objects).toEqual([]);
    expect(ruleSets).toHaveLength(1);
  },
);

const described = (place: string, keys: string[], texts: string[]) => {
  const workspace = sameNamed(place, keys);
  const { Environment: environments = [] } = workspace.objects;
  return {
    ...workspace,
    objects: {
      ...workspace.objects,
      Environment: environments.map(({ id, outputs }, index) => ({
        id,
        outputs: { ...outputs, description: texts[index] },
      })),
    },
  };
};

it.each([
  ["contents are alike", ["one", "one"], 0],
  ["contents differ", ["new", "newer"], 4],
])("pairs those with the same settings if %s", (_, keys, count) => {
  const found = differences(
    described("a", ["one", "one"], ["first", "second"]),
    described("b", keys, ["second", "first"]),
  );
  expect(found).toHaveLength(count);
  expect(found.filter(({ change }) => change === "changed")).toEqual([]);
});

it("compares the fields of those with the same contents, and numbers their names", () => {
  const found = differences(
    described("a", ["one", "two"], ["first", "second"]),
    described("b", ["two", "one"], ["first", "second"]),
  );
  expect(found.map(({ name, fields }) => [name, fields])).toEqual([
    ["Shop", [{ field: "description", before: "first", after: "second" }]],
    ["Shop (2)", [{ field: "description", before: "second", after: "first" }]],
  ]);
});

it("lists their differences in the order of the first workspace", () => {
  expect(compared(["one", "two"], ["two", "other"])).toEqual([
    {
      change: "removed",
      what: "API key",
      name: "one",
      ids: { before: "tok_onea" },
      environment: "Shop",
    },
    {
      change: "added",
      what: "API key",
      name: "other",
      ids: { after: "tok_otherb" },
      environment: "Shop",
    },
  ]);
});

describe("a renamed environment", () => {
  const renamed = (before: string, after: string) => ({
    change: "changed",
    what: "environment",
    name: "Staging",
    ids: { before, after },
    fields: [{ field: "name", before: "Staging", after: "Trial" }],
  });

  it("is one difference also in another workspace, when its contents match", () => {
    const before = placed("a", [
      ["Shop", "other"],
      ["Staging", "one", "two"],
    ]);
    const after = placed("b", [
      ["Trial", "two", "one"],
      ["Shop", "other"],
    ]);
    expect(differences(before, after)).toEqual([renamed("ae_2a", "ae_1b")]);
  });

  it("counts as another environment when its contents differ, or when it has none", () => {
    const pairs = [
      [
        ["Staging", "one"],
        ["Trial", "two"],
      ],
      [["Staging"], ["Trial"]],
    ] as const;
    for (const [was, is] of pairs)
      expect(
        differences(placed("a", [was]), placed("b", [is])).map(
          ({ change }) => change,
        ),
      ).not.toContain("changed");
  });

  it("is recognised by its ID in the same workspace, even with other contents or the old name of another environment", () => {
    const before = placed("a", [["Staging"], ["Shop"]]);
    const after = placed("a", [["Trial"], ["Staging"]]);
    expect(differences(before, after)).toEqual([
      renamed("ae_1a", "ae_1a"),
      {
        change: "changed",
        what: "environment",
        name: "Shop",
        ids: { before: "ae_2a", after: "ae_2a" },
        fields: [{ field: "name", before: "Shop", after: "Staging" }],
      },
    ]);
  });
});
