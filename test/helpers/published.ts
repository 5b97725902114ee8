import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./repository";

/** The members of a package.json that tests read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly workspaces?: readonly string[];
  readonly main?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string) =>
  JSON.parse(
    readFileSync(join(ROOT, folder, "package.json"), "utf8"),
  ) as Manifest;

/** A package that is published, and the folder of its workspace: `provider`. */
export interface PublishedPackage {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Manifest;
}

/** The packages that are published, by the workspaces of the root that are not private. */
export const PUBLISHED: readonly PublishedPackage[] = (
  manifestOf("").workspaces ?? []
)
  .filter((folder) => !folder.includes("*"))
  .map((folder) => ({ folder, manifest: manifestOf(folder) }))
  .filter(({ manifest }) => !manifest.private)
  .map((one) => ({ ...one, name: one.manifest.name }));
