import { createRequire } from "node:module";
import path from "node:path";

/** A script of `@pulumi/pulumi` that runs user code. */
export type SdkScript = "run" | "run-plugin" | "run-policy-pack";

/**
 * The path of a script of the `@pulumi/pulumi` that a folder's code uses.
 *
 * @throws Error that says what to do if the package is not installed there.
 */
export function sdkScript(folder: string, script: SdkScript): string {
  const request = `@pulumi/pulumi/cmd/${script}`;
  try {
    return createRequire(path.join(folder, "index.js")).resolve(request);
  } catch {
    throw new Error(
      `Cannot find module '${request}' from ${folder}: ` +
        "it looks like its dependencies are not installed; run `npm install` there.",
    );
  }
}
