// Gives all packages the next version according to the changesets, and adds the summaries
// of the changesets to the changelog.
import { execSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, ROOT } from "../packages/packages.mjs";

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
  run("npm install --package-lock-only --ignore-scripts");
  run("npm run gen");
}
