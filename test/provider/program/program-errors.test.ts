import { RunError } from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { runError } from "../../../provider/src/program/program-errors";

it("is an error of the program, with nothing that the engine would take long to format", () => {
  const error = runError("The program is wrong.");
  expect(RunError.isInstance(error)).toBe(true);
  expect(error.message).toBe("The program is wrong.");
  expect(error.stack).toBeUndefined();
});
