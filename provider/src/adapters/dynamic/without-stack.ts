/**
 * Takes the stack of an error away that the engine shows as what went wrong
 * alone. Pulumi formats any stack there is, and Node.js 20.20.2 takes half a
 * minute, or for ever, over one with frames of `node_modules/@pulumi/output.ts`
 * and the like, as source maps name them.
 */
export function withoutStack<T extends Error>(error: T): T {
  return Object.defineProperty(error, "stack", { value: undefined });
}
