import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../../helpers/cells-of";
import { mocksForTests, valueOf } from "../../pulumi-mocks";
import { RESOURCE_SPECS } from "../../../../provider/src/program/resources";
import { secretInputs } from "../../../../provider/src/program/dynamic/adapter";

const registered = mocksForTests(undefined, "shop", "prod", true);

it("under a unit test's mocks a resource has the program's inputs, and no call is made", async () => {
  const adopt = { id: "tok_1" };
  const name = pulumi.secret("Shop");
  await valueOf(new devid.ApiKey("key", { name, type: "public", adopt }).id);
  await valueOf(new devid.FilteringRuleSet("rules", { rules: [] }).id);
  expect(registered[0]?.inputs).toMatchObject({ adopt });
  expect(registered.map(({ inputs }) => Object.keys(inputs).sort())).toEqual([
    ["__provider", "adopt", "name", "type"],
    ["__provider", "rules"],
  ]);
});

it("every class reads an existing object by its ID", async () => {
  for (const kind of Object.keys(
    RESOURCE_SPECS,
  ) as (keyof typeof RESOURCE_SPECS)[]) {
    const found = devid[kind].get(`of ${kind}`, "id_1");
    expect(devid[kind].isInstance(found)).toBe(true);
    expect(await valueOf(found.id)).toBe("id_1");
  }
  expect(registered.map(({ id }) => id)).toEqual(
    Object.keys(RESOURCE_SPECS).map(() => "id_1"),
  );
});

describe("the option import", () => {
  const adopt =
    'write adopt: { id: "id_1" } in its arguments to take over what exists.';
  const INSTEAD = `
ApiKey | {name: a, type: public} | ${adopt}
Environment | {name: a} | ${adopt}
Webhook | {url: https://hooks.example} | ${adopt}
EncryptionKey | {} | leave it out, because an EncryptionKey takes over what exists.
FilteringRuleSet | {rules: []} | set takeOver: true in its arguments to put its rules in place of those that exist.
`;

  it.each(cellsOf(INSTEAD))(
    "of %s with %s is refused: %s",
    (kind = "", args = "", instead = "") => {
      const Class = devid[kind as "Webhook"];
      const made = () =>
        new Class("x", parse(args) as never, { import: "id_1" });
      expect(made).toThrow(pulumi.RunError);
      expect(made).toThrow(
        `The ${kind} "x" has the option import, which Pulumi does not support for a dynamic resource; ${instead}`,
      );
      expect(registered).toEqual([]);
    },
  );
});

const plain = { name: "a", rules: [{ name: "b" }], adopt: { id: "c" } };

it("asks no Output whether it is secret when the arguments have none", () => {
  expect(secretInputs({ ...plain, gone: undefined, none: null })).toBe(
    undefined,
  );
});

it.each<[string, object, string[] | undefined]>([
  ["no Output is secret", { url: pulumi.output("a") }, undefined],
  ["one Output is secret", { ...plain, url: pulumi.secret("a") }, ["url"]],
  [
    "one Output within an argument is secret",
    {
      url: pulumi.output("a"),
      rules: [{ name: "a", expression: pulumi.secret("b") }],
      adopt: Promise.resolve({ id: pulumi.secret("c") }),
    },
    ["adopt", "rules"],
  ],
  [
    "one Output is made from a secret",
    { url: pulumi.interpolate`https://${pulumi.secret("a")}` },
    ["url"],
  ],
])("returns the names of secret arguments when %s", async (_, args, names) => {
  expect(await secretInputs(args)).toEqual(names);
});
