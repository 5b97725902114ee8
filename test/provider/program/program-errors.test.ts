import * as devid from "@devid/pulumi";
import { output, RunError } from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { runError } from "../../../provider/src/program/program-errors";

it("is a RunError without a stack, so the engine formats it quickly", () => {
  const error = runError("The program is wrong.");
  expect(RunError.isInstance(error)).toBe(true);
  expect(error.message).toBe("The program is wrong.");
  expect(error.stack).toBeUndefined();
});

it.each<[string, () => unknown]>([
  [
    "program/output-as-region",
    () => new devid.Provider("p", { region: output("eu") as never }),
  ],
  [
    "program/output-as-generations",
    () =>
      new devid.RotatingApiKey("server", {
        name: "Server",
        type: "secret",
        generations: ["1", output("2") as never],
      }),
  ],
  [
    "program/output-as-rules-file",
    () =>
      new devid.FilteringRuleSet("r", { rulesFile: output("r.yaml") as never }),
  ],
])(
  "an argument that must be plain is refused as an Output: %s",
  (id, declare) => {
    expect(declare).toSay(id);
  },
);
