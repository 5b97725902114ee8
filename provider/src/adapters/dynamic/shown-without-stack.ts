import { withoutStack } from "./without-stack";

/**
 * Lets the engine show an error of ours as what went wrong, without a stack:
 * by the mark of Pulumi's RunError, so that the error keeps its own class.
 */
export function shownWithoutStack(error: unknown): unknown {
  const isOurs =
    error instanceof Error &&
    error.name !== "Error" &&
    !(error.name in globalThis);
  if (!isOurs) return error;
  Object.defineProperty(error, "__pulumiRunError", { value: true });
  return withoutStack(error);
}
