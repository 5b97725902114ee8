/**
 * Lets the engine show an error of ours as what went wrong, without a stack:
 * by the mark of Pulumi's RunError, so that the error keeps its own class.
 */
export function shownWithoutStack(error: unknown): unknown {
  const isOurs =
    error instanceof Error &&
    error.name !== "Error" &&
    !(error.name in globalThis);
  if (isOurs)
    Object.defineProperties(error, {
      __pulumiRunError: { value: true },
      // Pulumi inspects any stack there is, and Node.js 20.20.2 never ends on
      // one whose frames are mapped to `node_modules/@pulumi/output.ts`.
      stack: { value: undefined },
    });
  return error;
}
