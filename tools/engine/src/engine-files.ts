import { access, constants, realpath, stat } from "node:fs/promises";
import path from "node:path";

/** Root folder of this package; every clone has its sources. */
export const packageFolder = path.resolve(__dirname, "..");

const suffix = process.platform === "win32" ? ".exe" : "";

/** File name of the engine itself. */
export const PULUMI = `pulumi${suffix}`;

/** File name of the language host that runs the programs of a language. */
export function languageHost(language: string): string {
  return `pulumi-language-${language}${suffix}`;
}

/** File name of the Node.js language host, which runs programs, plugins and policy packs. */
export const NODE_HOST = languageHost("nodejs");

/** File name of the script that starts dynamic providers. */
export const DYNAMIC_PROVIDER =
  process.platform === "win32"
    ? "pulumi-resource-pulumi-nodejs.cmd"
    : "pulumi-resource-pulumi-nodejs";

/**
 * Path of the script that starts dynamic providers, from the npm package
 * `@pulumi/pulumi`.
 */
export function dynamicProviderScript(): string {
  const manifest = require.resolve("@pulumi/pulumi/package.json");
  return path.join(path.dirname(manifest), DYNAMIC_PROVIDER);
}

/** Whether a path is a file that this user may run. A folder, such as Go's `~/go`, is none. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The absolute path of a command on PATH; undefined if it is not there. */
export async function findOnPath(
  command: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of (env.PATH ?? "").split(path.delimiter)) {
    if (folder === "") continue;
    const file = path.resolve(folder, command);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

/**
 * Looks for an executable in the same places as the engine: next to the real
 * path of `pulumi`, then on PATH.
 */
export async function findBeside(
  pulumi: string,
  command: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const real = await realpath(pulumi).catch(() => pulumi);
  const beside = path.join(path.dirname(real), command);
  return (await isExecutable(beside)) ? beside : findOnPath(command, env);
}
