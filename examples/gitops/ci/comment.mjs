// Says what became of the rules, where people look:
//
//   node ci/comment.mjs review       on the pull request: review.md, in place of
//                                    the review before it
//   node ci/comment.mjs recovery     on the commit of the main branch: review.md
//   node ci/comment.mjs applied      on the merged pull request: applied.md
//   node ci/comment.mjs not-applied  the same, and the way out
//   node ci/comment.mjs outdated     on the other open pull requests: that the rules
//                                    have changed since their review
//
// Without review.md, it says that the review failed; without applied.md, that
// nothing was applied. The first line of a comment,
// which nobody sees, tells which one it is: each rule file, environment and stack
// has its own. Only a comment of the same author is edited.
import { existsSync, readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { codeHost, plainly } from "./code-host.mjs";
import { cut, file, isMarked, marker } from "./marker.mjs";

const host = codeHost();
const place = `\`${file}\` (stack \`${env.PULUMI_STACK}\`)`;
const wayOut = `The way out: ${host.recovery}. It plans the main branch anew, says on its commit what that changes, and applies it once somebody has approved. A rule of the dashboard that is to stay goes into the rule file first, in a pull request.`;
const commit = `Commit \`${host.commit}\`: [log](${host.log})`;

const kinds = {
  async review() {
    const request = await host.requestOfThis();
    const newest = await host.newestCommit(request);
    if (newest === host.commit)
      await put(
        request,
        review("devid-review", "so its merge applies nothing"),
      );
    else
      console.log(
        `The newest commit is ${newest}, whose own review has the comment.`,
      );
  },
  async recovery() {
    await host.addToCommit(
      host.commit,
      review("devid-recovery", "so nothing is applied"),
    );
  },
  applied: () => sayApplied(applied()),
  "not-applied": () => sayApplied(applied(wayOut)),
  async outdated() {
    const note = `> **Outdated:** the rules have changed since this review, by commit \`${host.commit}\`. Run it again before you merge.`;
    for (const request of await host.openRequests()) {
      const found = await ownComment(request, marker("devid-review"));
      if (!found || found.body.includes("> **Outdated:**")) continue;
      const [first, ...rest] = found.body.split(/\r?\n/);
      await host.edit(request, found, [first, note, "", ...rest].join("\n"));
      console.log(`The comment on ${request} is marked as outdated.`);
    }
  },
};

await plainly(kinds[argv[2]]);

/** Writes to the merged pull request; without a pull request, to the commit. */
async function sayApplied(text) {
  console.error(text);
  const request = await host.requestOfThis();
  if (request === undefined) await host.addToCommit(host.commit, text);
  else await put(request, text);
}

/** The text of the review, or a text that says that the review failed. */
function review(markerKind, consequence) {
  if (!existsSync("review.md"))
    return paragraphs(
      marker(markerKind),
      `### Review of ${place} failed`,
      `It ended before there was a report, ${consequence}.`,
      commit,
    );
  return cut(readFileSync("review.md", "utf8"), commit);
}

/** The text of applied.md with further lines. */
function applied(...more) {
  const done = existsSync("applied.md")
    ? [readFileSync("applied.md", "utf8").trim()]
    : [
        marker("devid-apply"),
        `### ${place} was not applied`,
        "There is no plan of it that was reviewed, or nothing could be started. No resource was changed.",
      ];
  return paragraphs(...done, ...more, commit);
}

/** Edits the comment with the same marker by the same author, or creates one. */
async function put(request, body) {
  const found = await ownComment(request, body.split("\n", 1)[0]);
  if (found) await host.edit(request, found, body);
  else await host.add(request, body);
  console.log(found ? "The comment was edited." : "The comment was made.");
}

async function ownComment(request, marker) {
  const author = await host.author();
  for (let page = 1; ; page += 1) {
    const some = await host.comments(request, page);
    const own = some.find(
      (comment) =>
        host.authorOf(comment) === author && isMarked(comment, marker),
    );
    if (own || some.length < 100) return own;
  }
}

function paragraphs(...parts) {
  return `${parts.join("\n\n")}\n`;
}
