import { RunError } from "@pulumi/pulumi";
import { withoutStack } from "./without-stack";

/** An error of the program that runs, which the engine shows as its message alone. */
export function runError(message: string): RunError {
  return withoutStack(new RunError(message));
}
