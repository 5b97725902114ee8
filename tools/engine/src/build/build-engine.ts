import { chmod, copyFile, link, mkdir } from "node:fs/promises";
import path from "node:path";
import { buildGo, type BuildContext } from "./build-go.js";
import { cliRecipe, nodeHostRecipe } from "./build-recipe.js";
import {
  DYNAMIC_PROVIDER,
  dynamicProviderScript,
  NODE_HOST,
  PULUMI,
} from "../engine-files.js";
import { EngineError } from "../errors.js";

/**
 * Fills a folder with an engine: its `bin` holds `pulumi` and the files that
 * must be next to it.
 */
export type EngineBuilder = (
  folder: string,
  context: BuildContext,
) => Promise<void>;

/** Builds the engine and our own language host with Go. */
export const buildEngine: EngineBuilder = async (folder, context) => {
  if (process.platform === "win32") {
    throw new EngineError("building works on Linux and macOS only");
  }
  const bin = path.join(folder, "bin");
  await mkdir(bin);
  const dynamicProvider = path.join(bin, DYNAMIC_PROVIDER);
  await copyFile(dynamicProviderScript(), dynamicProvider);
  await chmod(dynamicProvider, 0o755);
  await linkOrCopy(await buildGo(cliRecipe, context), path.join(bin, PULUMI));
  const host = await buildGo(nodeHostRecipe, context);
  await linkOrCopy(host, path.join(bin, NODE_HOST));
};

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
