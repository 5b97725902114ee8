import { createRequire } from "node:module";

/**
 * The path of a file of this package, such as `../assets/console.css`, from `dist`.
 * It is right in the bundle of the command line, too, where this code stands elsewhere.
 */
export function packageFile(name: string): string {
  return createRequire(require.resolve("@devid/service")).resolve(name);
}
