import { runtime } from "@pulumi/pulumi";

/**
 * Ends a program that an engine runs with an error, where an Output would be
 * rejected: Pulumi keeps V8's debugger on, which looks through all promises
 * that hang on a rejected one, about four times as many for each `apply` of a
 * chain. A dozen of them take for ever.
 * @throws the error itself where no engine is there, as in a unit test
 */
export function endProgram(error: unknown): Promise<never> {
  if (!runtime.hasEngine()) throw error;
  setImmediate(() => {
    throw error;
  });
  return new Promise(() => undefined);
}
