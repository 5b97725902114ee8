// Prints the section of the changelog about the version of the packages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, ROOT } from "../packages/packages.mjs";

/** The text below the heading of a version. */
export const sectionOf = (changelog, version) =>
  changelog
    .split(/^## /m)
    .find((section) => section.startsWith(`${version}\n`))
    ?.slice(version.length)
    .trim();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = manifestOf("provider");
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  console.log(sectionOf(changelog, version));
}
