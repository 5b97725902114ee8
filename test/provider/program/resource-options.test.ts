import { describe, expect, it } from "vitest";
import type { ResourceSpec } from "../../../provider/src/program/resource-class";
import { RESOURCE_SPECS } from "../../../provider/src/program/resources";
import { refuseOptions } from "../../../provider/src/program/resource-options";
import type { CustomResourceOptions, Resource } from "@pulumi/pulumi";

const refused = (kind: string, options: CustomResourceOptions) => {
  const spec = (RESOURCE_SPECS as Readonly<Record<string, ResourceSpec>>)[kind];
  if (!spec) throw new Error(`There is no kind ${kind}.`);
  try {
    refuseOptions(spec, "shop", options);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("an option without its usual effect is refused", () => {
  it("deletedWith, except for an encryption key, which is deleted with its environment", () => {
    const deletedWith = {} as Resource;
    for (const kind of ["ApiKey", "Webhook", "Environment", "FilteringRuleSet"])
      expect(refused(kind, { deletedWith })).toSay("options/deleted-with", {
        kind,
      });
    expect(refused("EncryptionKey", { deletedWith })).toBeUndefined();
  });

  it("replaceOnChanges, for a kind that every environment has exactly one of", () => {
    const replaceOnChanges = ["rules[0].expression"];
    expect(refused("FilteringRuleSet", { replaceOnChanges })).toSay(
      "options/replace-on-changes",
    );
    expect(refused("ApiKey", { replaceOnChanges: ["name"] })).toBeUndefined();
  });
});
