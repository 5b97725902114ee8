import { Output, RunError, runtime } from "@pulumi/pulumi";

/** An error of the user's program. The engine shows its message without a stack. */
export function runError(message: string): RunError {
  return withoutStack(new RunError(message));
}

/**
 * Refuses an Output, or a list with one, as an argument that is needed before any
 * Output has its value. A program in JavaScript has no types that refuse it.
 * @throws RunError
 */
export function requirePlain(argument: string, value: unknown): void {
  if ([value].flat().some((one) => Output.isInstance(one)))
    throw runError(
      `The argument ${argument} is an Output, which has no value yet while the program declares its resources. Write the value itself, or read it from stack config.`,
    );
}

/**
 * Makes the engine show one of our errors by its message, without a stack. The
 * error gets the mark of Pulumi's RunError and keeps its own class; an error of
 * JavaScript itself, such as a TypeError, stays as it is.
 */
export function asRunError(error: unknown): unknown {
  const isOurs =
    error instanceof Error &&
    error.name !== "Error" &&
    !(error.name in globalThis);
  if (!isOurs) return error;
  Object.defineProperty(error, "__pulumiRunError", { value: true });
  return withoutStack(error);
}

/**
 * Removes the stack of an error. Pulumi formats every stack that it finds, and
 * on Node.js 20.20.2 that takes half a minute or longer for stacks with frames
 * of `node_modules/@pulumi/output.ts`, as source maps name them.
 */
function withoutStack<T extends Error>(error: T): T {
  return Object.defineProperty(error, "stack", { value: undefined });
}

/**
 * Ends the program with an error instead of rejecting an Output. Pulumi keeps
 * V8's debugger on, which visits every promise that depends on a rejected one:
 * about four for each `apply` in a chain, so that twelve of them never end.
 * @throws the error itself where no engine runs the program, as in a unit test
 */
export function endProgram(error: unknown): Promise<never> {
  if (!runtime.hasEngine()) throw error;
  setImmediate(() => {
    throw error;
  });
  return new Promise(() => undefined);
}
