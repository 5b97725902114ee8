// Fetches the plan that the job `review` of the merged merge request kept.
//
//   node ci/gitlab-plan.mjs plan.json
import { writeFile } from "node:fs/promises";
import { env, argv } from "node:process";

const project = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}`;
const merged = `${project}/repository/commits/${env.CI_COMMIT_SHA}/merge_requests`;
const [request] = await (await fetched(merged)).json();
if (!request)
  throw new Error(
    `Commit ${env.CI_COMMIT_SHA} came with no merge request, so there is no reviewed plan. Change the rules in a merge request.`,
  );
const ref = encodeURIComponent(`refs/merge-requests/${request.iid}/head`);
const plan = `${project}/jobs/artifacts/${ref}/raw/plan.json?job=review`;
await writeFile(argv[2] ?? "plan.json", await (await fetched(plan)).text());
console.log(`The plan of merge request !${request.iid} is there.`);

async function fetched(url) {
  const headers = { "private-token": env.GITLAB_TOKEN };
  const answer = await fetch(url, { headers });
  if (answer.ok) return answer;
  throw new Error(
    `GET ${url} was answered ${answer.status}: ${await answer.text()}`,
  );
}
