import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { DYNAMIC_PROVIDER } from "./engine-files.js";

/** Root folder of this package; every clone has its sources. */
export const packageFolder = path.resolve(__dirname, "..");

const requireHere = createRequire(path.join(packageFolder, "package.json"));

/**
 * Path of the script that starts dynamic providers, from the npm package
 * `@pulumi/pulumi`.
 */
export function dynamicProviderScript(): string {
  const manifest = requireHere.resolve("@pulumi/pulumi/package.json");
  return path.join(path.dirname(manifest), DYNAMIC_PROVIDER);
}

/** Version of an npm package that this package resolves. */
export function installedVersion(name: string): string {
  const manifest = requireHere.resolve(`${name}/package.json`);
  const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return (content as { version: string }).version;
}
