import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { DYNAMIC_PROVIDER } from "./engine-files.js";

/** Root folder of this package; the sources are there in every clone. */
export const packageFolder = path.resolve(__dirname, "..");

const requireHere = createRequire(path.join(packageFolder, "package.json"));

/** Path of the script that starts dynamic providers; the npm package `@pulumi/pulumi` ships it. */
export function dynamicProviderScript(): string {
  const manifest = requireHere.resolve("@pulumi/pulumi/package.json");
  return path.join(path.dirname(manifest), DYNAMIC_PROVIDER);
}

/** Version of an npm package as this package sees it. */
export function installedVersion(name: string): string {
  const manifest = requireHere.resolve(`${name}/package.json`);
  const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return (content as { version: string }).version;
}
