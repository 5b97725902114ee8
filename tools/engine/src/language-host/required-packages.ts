import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import {
  PackageDependency,
  PackageParameterization,
} from "@pulumi/pulumi/proto/plugin_pb";

/** The parts of a package.json that matter here. */
interface Manifest {
  name?: string;
  version?: string;
  /** How a package that wraps a Pulumi plugin describes it. */
  pulumi?: {
    resource?: boolean;
    name?: string;
    version?: string;
    server?: string;
    parameterization?: { name: string; version: string; value: string };
  };
}

/**
 * The plugins that a program may need: one for each installed npm package
 * that says so (`"pulumi": { "resource": true }` in its package.json).
 *
 * The packages are those in `node_modules` of the folder and of the folders above it, and
 * packages nested in these packages. Hundreds of small files are read synchronously:
 * asynchronous calls would take ten times the processor time.
 */
export function requiredPackages(folder: string): PackageDependency[] {
  const installed: Manifest[] = [];
  const seen = new Set<string>();
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    collect(path.join(at, "node_modules"), installed, seen);
    if (at === path.dirname(at)) break;
  }
  const found = new Map<string, PackageDependency>();
  for (const manifest of installed) {
    const dependency = toDependency(manifest);
    if (dependency === undefined) continue;
    found.set(JSON.stringify(dependency.toArray()), dependency);
  }
  return [...found.values()];
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
    const packages = name.startsWith("@")
      ? readdirSync(folder).map((scoped) => path.join(folder, scoped))
      : [folder];
    for (const one of packages) {
      const manifest = readManifest(one);
      if (manifest === undefined) continue;
      found.push(manifest);
      collect(path.join(one, "node_modules"), found, seen);
    }
  }
}

/** The package.json of a folder; undefined if the file is missing or is no JSON. */
function readManifest(folder: string): Manifest | undefined {
  try {
    const text = readFileSync(path.join(folder, "package.json"), "utf8");
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

function toDependency(manifest: Manifest): PackageDependency | undefined {
  const { name = "", pulumi } = manifest;
  if (pulumi?.resource !== true) return undefined;
  const dependency = new PackageDependency()
    .setKind("resource")
    // The name of a plugin of the @pulumi scope has no scope.
    .setName(pulumi.name ?? name.replace(/^@pulumi\//, "").replace(/^@/, ""))
    .setVersion(pulumi.version ?? manifest.version ?? "")
    .setServer(pulumi.server ?? "");
  if (pulumi.parameterization) {
    const { name: packageName, version, value } = pulumi.parameterization;
    dependency.setParameterization(
      new PackageParameterization()
        .setName(packageName)
        .setVersion(version)
        .setValue(value),
    );
  }
  return dependency;
}
