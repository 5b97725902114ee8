import { createRequire } from "node:module";

/**
 * Resolves names from this package: `../assets/console.css` is a file of the
 * package, `@devid/agent/script` one of a package that it depends on. It holds
 * in the bundle of the command line, too, where this code stands elsewhere.
 */
export function packageFile(name: string): string {
  return createRequire(require.resolve("@devid/service")).resolve(name);
}
