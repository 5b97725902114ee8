import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Properties } from "../../../helpers/dynamic-host";
import { RESOURCE_SPECS } from "../../../../provider/src/program/resources";
import { secretInputs } from "../../../../provider/src/program/dynamic/adapter";

let inputs: Properties[] = [];
let calls = 0;
/** The IDs of the resources that were read. */
let read: string[] = [];
beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: (made) => {
        inputs.push(made.inputs as Properties);
        if (made.id) read.push(made.id);
        return { id: `${made.name}-id`, state: made.inputs as Properties };
      },
      call: () => {
        calls += 1;
        return {};
      },
    },
    "shop",
    "prod",
    true,
  ),
);
beforeEach(() => {
  inputs = [];
  read = [];
  calls = 0;
});

const made = (resource: pulumi.CustomResource) =>
  new Promise((resolve) => resource.id.apply(resolve));

describe("under a unit test's mocks", () => {
  it("a resource has the program's inputs, and no call is made", async () => {
    const adopt = { name: "By hand" };
    const name = pulumi.secret("Shop");
    await made(new devid.ApiKey("key", { name, type: "public", adopt }));
    await made(new devid.FilteringRuleSet("rules", { rules: [] }));
    expect(inputs[0]).toMatchObject({ adopt });
    expect(Object.keys(inputs[0] ?? {}).sort()).toEqual([
      "__provider",
      "adopt",
      "name",
      "type",
    ]);
    expect(Object.keys(inputs[1] ?? {}).sort()).toEqual([
      "__provider",
      "rules",
    ]);
    expect(calls).toBe(0);
  });
});

it("every class reads an existing object by its ID", async () => {
  for (const kind of Object.keys(
    RESOURCE_SPECS,
  ) as (keyof typeof RESOURCE_SPECS)[]) {
    const found = devid[kind].get(`of ${kind}`, "id_1");
    expect(devid[kind].isInstance(found)).toBe(true);
    expect(await made(found)).toBe("id_1");
  }
  expect(read).toEqual(Object.keys(RESOURCE_SPECS).map(() => "id_1"));
});

describe("the option import", () => {
  const start = (kind: string) =>
    `The ${kind} "x" has the option import, which Pulumi does not support for a dynamic resource; `;
  const opts = { import: "id_1" };
  const adopt =
    'write adopt: { id: "id_1" } in its arguments to take over what exists.';
  it.each<[string, () => unknown, string]>([
    [
      "ApiKey",
      () => new devid.ApiKey("x", { name: "a", type: "public" }, opts),
      adopt,
    ],
    [
      "Environment",
      () => new devid.Environment("x", { name: "a" }, opts),
      adopt,
    ],
    [
      "Webhook",
      () => new devid.Webhook("x", { url: "https://hooks.example" }, opts),
      adopt,
    ],
    [
      "EncryptionKey",
      () => new devid.EncryptionKey("x", {}, opts),
      "leave it out, because an EncryptionKey takes over what exists.",
    ],
    [
      "FilteringRuleSet",
      () => new devid.FilteringRuleSet("x", { rules: [] }, opts),
      "set takeOver: true in its arguments to put its rules in place of those that exist.",
    ],
  ])(
    "of %s is refused with the input to use instead",
    (kind, construct, instead) => {
      expect(construct).toThrow(pulumi.RunError);
      expect(construct).toThrow(start(kind) + instead);
      expect(inputs).toEqual([]);
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
