// Gives all packages the next version according to the changesets, adds the summaries
// of the changesets to the changelog, and pins the action in the example of reviews to
// this commit.
import { execSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, REPOSITORY, ROOT } from "../packages/packages.mjs";

const HEADING = /^## /m;
const ORDER = ["major", "minor", "patch"];

/**
 * Adds a section for a version at the top of the changelog. A changeset has the
 * packages that it changes, and a summary. Major changes come first, then minor
 * changes.
 */
export function withVersion(changelog, version, changesets) {
  const rank = ({ releases }) =>
    Math.min(...releases.map(({ type }) => ORDER.indexOf(type)));
  const items = changesets
    .slice()
    .sort((one, other) => rank(one) - rank(other))
    .map(({ releases, summary }) => {
      const names = releases.map(({ name }) => `\`${name}\``).join(", ");
      const isBreaking = releases.some(({ type }) => type === "major");
      const [first, ...others] = summary.trim().split("\n");
      const mark = isBreaking ? "**Breaking.** " : "";
      return [
        `- ${names}: ${mark}${first}`,
        ...others.map((one) => one && `  ${one}`),
      ].join("\n");
    });
  const section = `## ${version}\n\n${items.join("\n")}\n\n`;
  const at = changelog.search(HEADING);
  return changelog.slice(0, at) + section + changelog.slice(at);
}

/**
 * Pins the action of this repository in a workflow to a commit, with its version as a
 * comment.
 */
export const withAction = (workflow, { repository, commit, version }) =>
  workflow.replace(
    /(uses: ).*\/review@.*/,
    `$1${new URL(repository).pathname.slice(1)}/review@${commit} # v${version}`,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const run = (line) => execSync(line, { cwd: ROOT, stdio: "inherit" });
  const CHANGESET = "node tools/release/node_modules/@changesets/cli/bin.js";
  const plan = "node_modules/.cache/release-plan.json";
  run(`${CHANGESET} status --output ${plan}`);
  const { changesets } = JSON.parse(readFileSync(join(ROOT, plan), "utf8"));
  rmSync(join(ROOT, plan));
  run(`${CHANGESET} version`);
  const path = join(ROOT, "CHANGELOG.md");
  const { version } = manifestOf("provider");
  writeFileSync(
    path,
    withVersion(readFileSync(path, "utf8"), version, changesets),
  );
  const commit = execSync("git rev-parse HEAD", { cwd: ROOT })
    .toString()
    .trim();
  for (const name of ["rules-review.yml", "rules-recover.yml"]) {
    const path = join(ROOT, "examples/gitops/.github/workflows", name);
    const workflow = readFileSync(path, "utf8");
    const pinned = { repository: REPOSITORY, commit, version };
    writeFileSync(path, withAction(workflow, pinned));
  }
  run("npm install --package-lock-only --ignore-scripts");
  run("npm run gen");
}
