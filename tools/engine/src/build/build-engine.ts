import { chmod, copyFile, link, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { buildGo, type BuildContext } from "./build-go.js";
import { cliRecipe, codeWriterRecipe, nodeHostBundle } from "./build-recipe.js";
import {
  CODE_WRITER,
  DYNAMIC_PROVIDER,
  NODE_HOST,
  PULUMI,
} from "../engine-files.js";
import { EngineError } from "../errors.js";
import { dynamicProviderScript } from "../installed-packages.js";

/**
 * Fills a folder with an engine: its `bin` holds `pulumi` and the files that
 * must be next to it.
 */
export type EngineBuilder = (
  folder: string,
  context: BuildContext,
) => Promise<void>;

/** Builds the engine from its Go modules and our own language host. */
export const buildEngine: EngineBuilder = async (folder, context) => {
  if (process.platform === "win32") {
    // The language host is a script, which Windows does not start by itself.
    throw new EngineError("building works on Linux and macOS only");
  }
  const bin = path.join(folder, "bin");
  await mkdir(bin);
  await bundleNodeHost(bin);
  await copyDynamicProvider(bin);
  await linkOrCopy(await buildGo(cliRecipe, context), path.join(bin, PULUMI));
  const codeWriter = await buildGo(codeWriterRecipe, context);
  await linkOrCopy(codeWriter, path.join(bin, CODE_WRITER));
};

/** Writes the Node.js language host into a folder, as one executable file. */
export async function bundleNodeHost(bin: string): Promise<void> {
  const outfile = path.join(bin, NODE_HOST);
  await build({ ...nodeHostBundle, outfile });
  await chmod(outfile, 0o755);
  // Without this file, a `package.json` in a parent folder could make Node read
  // the script as an ES module.
  await writeFile(path.join(bin, "package.json"), '{ "type": "commonjs" }\n');
}

async function copyDynamicProvider(bin: string): Promise<void> {
  const target = path.join(bin, DYNAMIC_PROVIDER);
  await copyFile(dynamicProviderScript(), target);
  await chmod(target, 0o755);
}

/**
 * Puts a file of the cache into a second folder; a hard link takes no extra
 * space.
 *
 * A symbolic link would not work: the engine looks for its language hosts next
 * to its real path.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
