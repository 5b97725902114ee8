import { describe, expect, it } from "vitest";
import { refuseOptions } from "../../../../../provider/src/adapters/dynamic/program/resource-options";
import type { CustomResourceOptions, Resource } from "@pulumi/pulumi";

const refused = (
  kind: string,
  options: CustomResourceOptions,
  args: object = {},
) => {
  try {
    refuseOptions(kind, "shop", options, args);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("an option that would not do what it says is refused", () => {
  it("deletedWith, but for an encryption key, which goes with its environment", () => {
    const deletedWith = {} as Resource;
    for (const kind of ["ApiKey", "Webhook", "Environment", "FilteringRuleSet"])
      expect(refused(kind, { deletedWith })).toContain(
        `The ${kind} "shop" has the option deletedWith. Pulumi would drop it from the state without deleting it`,
      );
    expect(refused("EncryptionKey", { deletedWith })).toBeUndefined();
  });

  it("replaceOnChanges of what an environment has one of", () => {
    const replaceOnChanges = ["rules[0].expression"];
    expect(refused("FilteringRuleSet", { replaceOnChanges })).toContain(
      "it cannot be replaced: its environment has one from the start",
    );
    expect(refused("ApiKey", { replaceOnChanges: ["name"] })).toBeUndefined();
  });

  it("ignoreChanges of a rule by its place, and the path by its name is given", () => {
    const ignoreChanges = ["rules[1].expression"];
    const rules = [{ name: "first" }, { name: "by hand" }];
    expect(refused("FilteringRuleSet", { ignoreChanges }, { rules })).toContain(
      `write 'rules["by hand"].expression'`,
    );
    expect(refused("FilteringRuleSet", { ignoreChanges })).toContain(
      `write 'rules["NAME"].expression'`,
    );
    for (const path of [
      'rules["first"].expression',
      "rules[*].action",
      "rules",
    ])
      expect(
        refused("FilteringRuleSet", { ignoreChanges: [path] }, { rules }),
      ).toBeUndefined();
  });
});
