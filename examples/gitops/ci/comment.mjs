// Puts a review on its pull request (GitHub) or merge request (GitLab): as one
// comment, which is edited when there is a newer review. The first line of the
// review, which nobody sees, tells which comment that is.
//
//   node ci/comment.mjs review.md
import { readFile } from "node:fs/promises";
import { env, argv } from "node:process";

const body = await readFile(argv[2] ?? "review.md", "utf8");
const [marker] = body.split("\n", 1);
const { headers, comments, comment, edit } = env.GITLAB_CI
  ? gitlab()
  : github();

const found = await findComment();
if (found) await call(edit, comment(found.id), { body });
else await call("POST", comments, { body });
console.log(found ? "The comment was edited." : "The comment was made.");

async function findComment() {
  for (let page = 1; ; page += 1) {
    const some = await call("GET", `${comments}?per_page=100&page=${page}`);
    const own = some.find((each) => each.body.startsWith(marker));
    if (own || some.length < 100) return own;
  }
}

async function call(method, url, content) {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: content && JSON.stringify(content),
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  throw new Error(`${method} ${url} was answered ${answer.status}: ${text}`);
}

function github() {
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`;
  return {
    headers: {
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      accept: "application/vnd.github+json",
    },
    comments: `${repository}/issues/${env.PULL_REQUEST}/comments`,
    comment: (id) => `${repository}/issues/comments/${id}`,
    edit: "PATCH",
  };
}

function gitlab() {
  const project = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}`;
  const notes = `${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  return {
    headers: { "private-token": env.GITLAB_TOKEN },
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    edit: "PUT",
  };
}
