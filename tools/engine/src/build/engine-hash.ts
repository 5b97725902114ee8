import { createHash, type Hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import {
  type GoRecipe,
  cliRecipe,
  codeWriterRecipe,
  NODE_HOST_SOURCES,
  nodeHostBundle,
} from "./build-recipe.js";
import { ENGINE_VERSION } from "../engine-version.js";
import {
  packageFolder,
  dynamicProviderScript,
  installedVersion,
} from "../installed-packages.js";

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Hashes everything that affects one executable built with Go: 12 hexadecimal
 * digits.
 */
export async function goHash(recipe: GoRecipe): Promise<string> {
  const hash = createHash("sha256");
  const { linkerFlags, script } = recipe;
  const settings = [PLATFORM, recipe.package, linkerFlags];
  hash.update(JSON.stringify(script ? [...settings, script] : settings));
  await addFolder(hash, packageFolder, recipe.module);
  return hash.digest("hex").slice(0, 12);
}

/**
 * Hashes everything that affects a built engine: 12 hexadecimal digits.
 *
 * It covers the Go modules, the source of the language host, the build options, the
 * versions of bundled packages, and the platform. The location of the clone (`folder`), file times and line endings do not matter.
 */
export async function engineHash(folder = packageFolder): Promise<string> {
  const hash = createHash("sha256");
  const { absWorkingDir: _place, ...bundle } = nodeHostBundle;
  const settings = {
    engine: ENGINE_VERSION,
    platform: PLATFORM,
    builds: [cliRecipe, codeWriterRecipe].map((one) => [
      one.package,
      one.linkerFlags,
    ]),
    bundle,
    pulumi: installedVersion("@pulumi/pulumi"),
    grpc: installedVersion("@grpc/grpc-js"),
    protobuf: installedVersion("google-protobuf"),
  };
  hash.update(JSON.stringify(settings));
  hash.update(await readFile(dynamicProviderScript()));
  await addFolder(hash, folder, cliRecipe.module);
  await addFolder(hash, folder, codeWriterRecipe.module);
  await addFolder(hash, folder, NODE_HOST_SOURCES);
  return hash.digest("hex").slice(0, 12);
}

async function addFolder(
  hash: Hash,
  root: string,
  relative: string,
): Promise<void> {
  const entries = await readdir(path.join(root, relative), {
    withFileTypes: true,
  });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const inside = path.posix.join(relative, entry.name);
    if (entry.isDirectory()) {
      await addFolder(hash, root, inside);
    } else {
      const text = await readFile(path.join(root, inside), "utf8");
      const content = text.replaceAll("\r\n", "\n");
      hash.update(JSON.stringify([inside, content]));
    }
  }
}
