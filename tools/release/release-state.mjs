// Finds out what to release after a push to the main branch, as outputs of a job:
// whether changesets wait, and if none wait, the version that has no release yet. A
// clone whose repository is a placeholder has nothing to release.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRepositoryKnown, manifestOf, ROOT } from "../packages/packages.mjs";

/** Whether a folder of changesets contains a changeset. */
export const hasChangesets = (files) =>
  files.some((file) => file.endsWith(".md") && file !== "README.md");

/** Whether GitHub has a release of a version. */
function isReleased(version) {
  const tags = execFileSync(
    "gh",
    ["release", "list", "--limit", "1000", "--json", "tagName"],
    { encoding: "utf8" },
  );
  return JSON.parse(tags).some(({ tagName }) => tagName === `v${version}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const waits = hasChangesets(readdirSync(join(ROOT, ".changeset")));
  const { version } = manifestOf("provider");
  const isDue = !waits && isRepositoryKnown() && !isReleased(version);
  console.log(`has-changesets=${waits}\nversion=${isDue ? version : ""}`);
}
