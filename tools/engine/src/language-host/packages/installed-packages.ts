import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
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
export function readManifest(folder: string): Manifest | undefined {
  try {
    const text = readFileSync(path.join(folder, "package.json"), "utf8");
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

/**
 * Every package that code in a folder could load: the packages in `node_modules` of the
 * folder and of the folders above it, and packages nested in these packages.
 *
 * Hundreds of small files are read synchronously: asynchronous calls would take ten
 * times the processor time.
 */
export function installedPackages(folder: string): Manifest[] {
  const found: Manifest[] = [];
  const seen = new Set<string>();
  for (const parent of withParents(folder))
    collect(path.join(parent, "node_modules"), found, seen);
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

function collect(
  nodeModules: string,
  found: Manifest[],
  seen: Set<string>,
): void {
  if (!existsSync(nodeModules)) return;
  const real = realpathSync(nodeModules);
  if (seen.has(real)) return;
  seen.add(real);
  for (const name of readdirSync(real)) {
    if (name.startsWith(".")) continue;
    const folder = path.join(real, name);
    if (!name.startsWith("@")) collectOne(folder, found, seen);
    else
      for (const scoped of readdirSync(folder))
        collectOne(path.join(folder, scoped), found, seen);
  }
}

function collectOne(
  folder: string,
  found: Manifest[],
  seen: Set<string>,
): void {
  const manifest = readManifest(folder);
  if (manifest === undefined) return;
  found.push(manifest);
  collect(path.join(folder, "node_modules"), found, seen);
}
