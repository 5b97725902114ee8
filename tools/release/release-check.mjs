// Refuses a release if the address of the repository is a placeholder, if it is not the
// address of the workflow's repository, or if the changelog does not have the version.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  isRepositoryKnown,
  manifestOf,
  REPOSITORY,
  ROOT,
} from "../packages/packages.mjs";

/** Why a version must not be released; undefined if it may be released. */
export function refusal({ repository, host, version, changelog }) {
  if (!isRepositoryKnown(repository))
    return `${repository} is a placeholder. Set \`repository\` in the package.json of the root to the address of this repository, and run \`npm run gen\`.`;
  if (host !== undefined && host !== repository)
    return `The packages name ${repository} as their repository, and this is ${host}. npm would refuse their provenance.`;
  if (!changelog.includes(`\n## ${version}\n`))
    return `CHANGELOG.md has no heading "## ${version}". \`npm run release:version\` writes it; the first release has it in place of "(unreleased)".`;
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const reason = refusal({
    repository: REPOSITORY,
    host: GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
    version: manifestOf("provider").version,
    changelog: readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"),
  });
  if (reason !== undefined) {
    console.error(reason);
    process.exit(1);
  }
}
