import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";

/** The parts of a package.json that matter here. */
export interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  /** How a package that wraps a Pulumi plugin describes it. */
  pulumi?: {
    resource?: boolean;
    name?: string;
    version?: string;
    server?: string;
    parameterization?: { name: string; version: string; value: string };
  };
}

/** Reads the package.json of a folder; undefined if the file is missing or is no JSON. */
export async function readManifest(
  folder: string,
): Promise<Manifest | undefined> {
  try {
    const text = await readFile(path.join(folder, "package.json"), "utf8");
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

/**
 * Every package that code in a folder could load: the packages in `node_modules` of the
 * folder and of the folders above it, and packages nested in these packages.
 */
export async function installedPackages(folder: string): Promise<Manifest[]> {
  const found: Manifest[] = [];
  const seen = new Set<string>();
  for (const parent of withParents(folder)) {
    await collect(path.join(parent, "node_modules"), found, seen);
  }
  return found;
}

/** A folder and the folders above it, the nearest first. */
export function withParents(folder: string): string[] {
  const all = [path.resolve(folder)];
  for (;;) {
    const last = all[all.length - 1] ?? "";
    const parent = path.dirname(last);
    if (parent === last) return all;
    all.push(parent);
  }
}

async function collect(
  nodeModules: string,
  found: Manifest[],
  seen: Set<string>,
): Promise<void> {
  const real = await realpath(nodeModules).catch(() => undefined);
  if (real === undefined || seen.has(real)) return;
  seen.add(real);
  for (const name of await readdir(real)) {
    if (name.startsWith(".")) continue;
    const folder = path.join(real, name);
    if (name.startsWith("@")) {
      for (const scoped of await readdir(folder)) {
        await collectOne(path.join(folder, scoped), found, seen);
      }
    } else {
      await collectOne(folder, found, seen);
    }
  }
}

async function collectOne(
  folder: string,
  found: Manifest[],
  seen: Set<string>,
): Promise<void> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return;
  found.push(manifest);
  await collect(path.join(folder, "node_modules"), found, seen);
}
