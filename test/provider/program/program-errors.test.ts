import { RunError } from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { runError } from "../../../provider/src/program/program-errors";

it("is a RunError without a stack, so the engine formats it quickly", () => {
  const error = runError("The program is wrong.");
  expect(RunError.isInstance(error)).toBe(true);
  expect(error.message).toBe("The program is wrong.");
  expect(error.stack).toBeUndefined();
});
