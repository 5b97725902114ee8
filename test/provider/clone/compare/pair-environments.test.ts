import { compareWorkspaces, select, type Workspace } from "@devid/pulumi/clone";
import { expect, it } from "vitest";

const defaultEnvironment = { id: "ae_0", name: "Default" };

/** Two environments of one name, each with a key of its own. */
function twins(keys: readonly string[]): Workspace {
  return {
    region: "us",
    environments: [
      defaultEnvironment,
      { id: "ae_1", name: "Shop" },
      { id: "ae_2", name: "Shop" },
    ],
    defaultEnvironment,
    objects: {
      ApiKey: keys.map((name, index) => ({
        id: `tok_${index}`,
        outputs: {
          name,
          type: "public",
          status: "enabled",
          environment: `ae_${index + 1}`,
        },
      })),
    },
  };
}

const compared = (before: readonly string[], after: readonly string[]) =>
  compareWorkspaces(
    { name: "before", selection: select(twins(before)) },
    { name: "after", selection: select(twins(after)) },
  ).objects;

it("tells environments of one name by what is in them, whatever their order", () => {
  expect(compared(["one", "two"], ["two", "one"])).toEqual([]);
});

it("numbers them in the order of the first workspace", () => {
  expect(compared(["one", "two"], ["two", "other"])).toEqual([
    {
      change: "removed",
      what: "API key",
      name: "one",
      environment: "Shop",
    },
    { change: "added", what: "API key", name: "other", environment: "Shop" },
  ]);
});
