import {
  PackageDependency,
  PackageParameterization,
} from "@pulumi/pulumi/proto/plugin_pb";
import { installedPackages, type Manifest } from "./installed-packages.js";

/**
 * The plugins that a program may need: one for each installed npm package
 * that says so (`"pulumi": { "resource": true }` in its package.json).
 */
export function requiredPackages(folder: string): PackageDependency[] {
  const found = new Map<string, PackageDependency>();
  for (const manifest of installedPackages(folder)) {
    const dependency = toDependency(manifest);
    if (dependency === undefined) continue;
    const key = JSON.stringify(dependency.toArray());
    found.set(key, dependency);
  }
  return [...found.values()];
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
