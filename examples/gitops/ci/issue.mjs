// Keeps one issue about the drift of a stack:
//
//   node ci/issue.mjs drift   opens it, or rewrites the open one: drift.md
//   node ci/issue.mjs none    closes it, if it is open
//
// Only an issue of the same author is touched, which its first line tells.
import { existsSync, readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { codeHost, plainly } from "./code-host.mjs";
import { cut, file, isMarked, marker } from "./marker.mjs";

const host = codeHost();
const commit = `Commit \`${host.commit}\`: [log](${host.log})`;

const kinds = {
  async drift() {
    const report = existsSync("drift.md")
      ? readFileSync("drift.md", "utf8")
      : "The check ended before there was a report. Its log says why.\n";
    const body = cut(
      `${marker("devid-drift")}\n${report}\n${commit}\n`,
      commit,
    );
    const found = await ownIssue();
    if (found) await host.editIssue(found, body);
    else await host.openIssue(`Drift of ${env.PULUMI_STACK} (${file})`, body);
    console.log(found ? "The issue was rewritten." : "An issue was opened.");
  },
  async none() {
    const found = await ownIssue();
    if (!found) return;
    await host.closeIssue(found, `Nothing differs any more. ${commit}`);
    console.log("The issue was closed.");
  },
};

await plainly(kinds[argv[2]]);

async function ownIssue() {
  const author = await host.author();
  for (let page = 1; ; page += 1) {
    const some = await host.issues(page);
    const own = some.find(
      (issue) =>
        host.authorOf(issue) === author &&
        isMarked(issue, marker("devid-drift")),
    );
    if (own || some.length < 100) return own;
  }
}
