// The packages that are published, and the address of the repository. All tools read
// them here.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = resolve(
  fileURLToPath(new URL("./", import.meta.url)),
  "../..",
);

/** The package.json of a folder; "" is the root. */
export const manifestOf = (folder) =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));

const root = manifestOf("");

/**
 * The packages that are published: the workspaces that the root names one by one and
 * that are not private.
 */
export const PACKAGES = root.workspaces
  .filter((folder) => !folder.includes("*"))
  .map((folder) => ({ folder, manifest: manifestOf(folder) }))
  .filter(({ manifest }) => !manifest.private)
  .map(({ folder, manifest }) => ({ folder, name: manifest.name, manifest }));

/** The address of the repository for people, from `repository` of the root. */
export const REPOSITORY = root.repository.url.replace(/^git\+|\.git$/g, "");

/** Whether the address is real. A `.invalid` name never resolves. */
export const isRepositoryKnown = (address = REPOSITORY) =>
  !new URL(address).hostname.endsWith(".invalid");
