import path from "node:path";
import {
  installedPackages,
  readManifest,
  withParents,
} from "./installed-packages.js";

/** A package with its installed version. */
export interface ProgramDependency {
  name: string;
  version: string;
}

/**
 * The npm packages of a program, for `pulumi about`.
 *
 * @param transitive all that are installed, instead of those that its package.json names.
 */
export async function programDependencies(
  folder: string,
  transitive: boolean,
): Promise<ProgramDependency[]> {
  if (transitive) {
    const all = await installedPackages(folder);
    return all.flatMap(({ name, version }) =>
      name && version ? [{ name, version }] : [],
    );
  }
  for (const parent of withParents(folder)) {
    const manifest = await readManifest(parent);
    if (manifest === undefined) continue;
    const wanted = { ...manifest.devDependencies, ...manifest.dependencies };
    return Promise.all(
      Object.entries(wanted).map(async ([name, range]) => ({
        name,
        version: (await installedVersion(folder, name)) ?? range,
      })),
    );
  }
  return [];
}

async function installedVersion(
  folder: string,
  name: string,
): Promise<string | undefined> {
  for (const parent of withParents(folder)) {
    const installed = path.join(parent, "node_modules", name);
    const manifest = await readManifest(installed);
    if (manifest?.version) return manifest.version;
  }
  return undefined;
}
