import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { secretInputs } from "../../../../provider/src/adapters/dynamic/secret-inputs";

const plain = { name: "a", rules: [{ name: "b" }], adopt: { id: "c" } };

it("asks nothing of arguments without Outputs", () => {
  expect(secretInputs({ ...plain, gone: undefined, none: null })).toBe(
    undefined,
  );
});

it.each<[string, object, string[] | undefined]>([
  ["no Output is secret", { url: pulumi.output("a") }, undefined],
  ["one is", { ...plain, url: pulumi.secret("a") }, ["url"]],
  [
    "one within an argument is",
    {
      url: pulumi.output("a"),
      rules: [{ name: "a", expression: pulumi.secret("b") }],
      adopt: Promise.resolve({ id: pulumi.secret("c") }),
    },
    ["adopt", "rules"],
  ],
  [
    "one is made of a secret",
    { url: pulumi.interpolate`https://${pulumi.secret("a")}` },
    ["url"],
  ],
])("names the arguments where %s", async (_, args, names) => {
  expect(await secretInputs(args)).toEqual(names);
});
