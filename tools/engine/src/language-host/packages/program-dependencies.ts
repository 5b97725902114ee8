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
export function programDependencies(
  folder: string,
  transitive: boolean,
): ProgramDependency[] {
  if (transitive) {
    const all = installedPackages(folder);
    return all.flatMap(({ name, version }) =>
      name && version ? [{ name, version }] : [],
    );
  }
  for (const parent of withParents(folder)) {
    const manifest = readManifest(parent);
    if (manifest === undefined) continue;
    const wanted = { ...manifest.devDependencies, ...manifest.dependencies };
    return Object.entries(wanted).map(([name, range]) => ({
      name,
      version: installedVersion(folder, name) ?? range,
    }));
  }
  return [];
}

function installedVersion(folder: string, name: string): string | undefined {
  for (const parent of withParents(folder)) {
    const installed = path.join(parent, "node_modules", name);
    const manifest = readManifest(installed);
    if (manifest?.version) return manifest.version;
  }
  return undefined;
}
