import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import {
  findEngine,
  findLanguageHost,
  findPythonEnvironment,
} from "@devid/engine";
import { TESTS, type EngineStack } from "./engine-stack";

const PROVIDER = join(TESTS, "../provider");
const PLUGIN = join(PROVIDER, "bin/pulumi-resource-devid");

/** The `runtime` of a Python program in `Pulumi.yaml`. */
export interface PythonRuntime {
  readonly name: "python";
  readonly options: { readonly virtualenv: string };
}

/**
 * Generates the provider plugin's SDK in the folder of a stack, where the stack's
 * programs find it. A user's `pulumi package add` also installs the SDK with pip, which
 * takes ten times as long.
 */
export async function pythonRuntime(
  stack: EngineStack,
): Promise<PythonRuntime> {
  const host = await findLanguageHost("python", await findEngine());
  const virtualenv = await findPythonEnvironment();
  const folder = join(stack.workFolder, "sdk", "python");
  stack.set({
    PATH: [dirname(host), process.env.PATH].join(delimiter),
    PYTHONPATH: folder,
  });
  const { code, output } = await stack.shell(
    `pulumi package gen-sdk "${PLUGIN}" --language python --out sdk`,
  );
  if (code !== 0)
    throw new Error(`Making the Python SDK of the plugin failed:\n${output}`);
  const manifest = readFileSync(join(PROVIDER, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  // The SDK reads its own version from this file, which pip would have written.
  const info = join(folder, `pulumi_devid-${version}.dist-info`);
  mkdirSync(info);
  writeFileSync(
    join(info, "METADATA"),
    `Metadata-Version: 2.1\nName: pulumi_devid\nVersion: ${version}\n`,
  );
  return { name: "python", options: { virtualenv } };
}
