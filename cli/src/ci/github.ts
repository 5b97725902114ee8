import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../errors";
import {
  neededVariables,
  type HostApi,
  type HostFlags,
  type HostText,
  type RunnerVariables,
} from "./code-host";
import { CodeHostError, HostCalls } from "./host-calls";
import { MOST_PLAN_BYTES, PLAN_FILE } from "./plan-record";
import { onlyZipEntry } from "./zip-entry";

/** The workflow that reviews, if no other is named. */
const REVIEW_WORKFLOW = "rules-review.yml";

/** The account of a workflow's own token, which may not ask for its user. */
const ACTIONS = "github-actions[bot]";

const WORDS: HostApi["words"] = {
  edit: "PATCH",
  requests: "pulls",
  number: "number",
  open: "open",
  branch: "base",
  discussed: "issues",
  comments: "comments",
  commits: "commits",
  ofCommit: "body",
  ofIssue: "body",
  close: { state: "closed" },
};

/** The members of the event that devid reads. */
const Event = z.looseObject({
  pull_request: z
    .looseObject({
      number: z.number(),
      head: z.looseObject({ sha: z.string() }),
      base: z.looseObject({ ref: z.string() }),
      merge_commit_sha: z.string().nullish(),
      merged: z.boolean().nullish(),
    })
    .optional(),
  inputs: z.looseObject({ pull_request: z.string().optional() }).nullish(),
  repository: z.looseObject({ default_branch: z.string() }).optional(),
});

const Repository = z.looseObject({ full_name: z.string() });
const PullRequest = z.looseObject({
  head: z.looseObject({ sha: z.string(), repo: Repository.nullish() }),
});
const User = z.looseObject({ login: z.string() });
/** A comment, or an issue, which has a number; pull requests are issues as well. */
const Text = z
  .looseObject({
    id: z.number().optional(),
    number: z.number().optional(),
    body: z.string().nullish(),
    user: User.nullish(),
  })
  .transform(({ id = 0, number = id, body, user }): HostText => ({
    ...{ id: number, body: body ?? "", author: user?.login },
  }));
const Run = z.looseObject({
  path: z.string(),
  event: z.string(),
  head_sha: z.string(),
  head_branch: z.string().nullish(),
  repository: Repository,
  head_repository: Repository.nullish(),
});
const Artifacts = z.looseObject({
  artifacts: z.array(
    z.looseObject({
      id: z.number(),
      name: z.string(),
      expired: z.boolean(),
      workflow_run: z.looseObject({ id: z.number() }).nullish(),
    }),
  ),
});

/** GitHub, from within a workflow. @throws UsageError without the variables of a workflow */
export function gitHub(env: RunnerVariables, flags: HostFlags): HostApi {
  const needed = neededVariables(
    env,
    [
      "GITHUB_REPOSITORY",
      "GITHUB_RUN_ID",
      "GITHUB_API_URL",
      "GITHUB_SERVER_URL",
    ],
    "GitHub gives these to every step of a workflow",
  );
  const { GITHUB_REPOSITORY: name, GITHUB_RUN_ID: run } = needed;
  const { pull_request: request, inputs, repository } = eventIn(env);
  const { reviewWorkflow = REVIEW_WORKFLOW } = flags;
  const asked =
    flags.pullRequest ??
    (request ? String(request.number) : inputs?.pull_request || undefined);
  const merged = request?.merged ? request.merge_commit_sha : undefined;
  const main =
    request?.base.ref ??
    repository?.default_branch ??
    env.GITHUB_REF_NAME ??
    "main";
  const root = `/repos/${name}`;
  const calls = new HostCalls(needed.GITHUB_API_URL, {
    name: "GITHUB_TOKEN",
    value: env.GITHUB_TOKEN,
    headers: (token) => ({
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
    }),
  });
  return {
    ...{ calls, root, words: WORDS, text: Text, run, main },
    log: `${needed.GITHUB_SERVER_URL}/${name}/actions/runs/${run}`,
    commit: flags.commit ?? merged ?? request?.head.sha ?? env.GITHUB_SHA ?? "",
    recovery:
      "start the workflow **Recover filtering rules** by hand, in Actions",
    request: PullRequest.transform(({ head: { sha, repo } }) => ({
      commit: sha,
      isForked: repo?.full_name !== name,
    })),
    commentAt: (_, id) => `${root}/issues/comments/${id}`,
    review: (request) =>
      calls.send(
        "POST",
        `${root}/actions/workflows/${encodeURIComponent(reviewWorkflow)}/dispatches`,
        { ref: main, inputs: { pull_request: request } },
      ),
    requestOfThis: () => Promise.resolve(asked),
    async author() {
      if (env.COMMENT_AUTHOR) return env.COMMENT_AUTHOR;
      try {
        return (await calls.json(User, "/user")).login;
      } catch (error) {
        if (error instanceof CodeHostError && error.status === 403)
          return ACTIONS;
        throw error;
      }
    },
    async planOfReview(record, _request, { artifact }) {
      const path = `${root}/actions/runs/${record.run}`;
      const reviewed = await calls.json(Run, path);
      const workflow = `.github/workflows/${reviewWorkflow}`;
      const expected = { name, workflow, main, commit: record.commit };
      const objection = objectionTo(reviewed, expected);
      if (objection !== undefined)
        throw new CodeHostError(
          `The comment names run ${record.run} as its review, but ${objection}.`,
        );
      return planIn(calls, root, record.run, artifact);
    },
    async planOfThisRun(record, { artifact }) {
      if (record.run !== run)
        throw new CodeHostError(
          `The plan is of run ${record.run}, and this is run ${run}.`,
        );
      return planIn(calls, root, run, artifact);
    },
  };
}

/** Why a run is not the review of a commit of this repository. */
function objectionTo(
  run: z.output<typeof Run>,
  expected: Readonly<Record<"name" | "workflow" | "main" | "commit", string>>,
): string | undefined {
  const { name, workflow, main, commit } = expected;
  if (run.repository.full_name !== name)
    return `that is a run in ${run.repository.full_name}`;
  if (run.head_repository?.full_name !== name)
    return `its commit is of ${run.head_repository?.full_name ?? "a deleted repository"}, and not of ${name}`;
  // The API may add the ref: rules-review.yml@main.
  if (run.path.split("@")[0] !== workflow)
    return `that is a run of ${run.path}, and not of ${workflow}`;
  switch (run.event) {
    case "pull_request":
      return run.head_sha === commit
        ? undefined
        : `that is a run for commit ${run.head_sha}`;
    // A review that was started again runs on the main branch, for any request.
    case "workflow_dispatch":
      return run.head_branch === main
        ? undefined
        : `that run was started on ${run.head_branch ?? "no branch"}, and not on ${main}`;
    default:
      return `that run was started by the event ${run.event}`;
  }
}

/** The plan in an artifact of one run. */
async function planIn(
  calls: HostCalls,
  root: string,
  run: string,
  name: string,
): Promise<Uint8Array> {
  const { artifacts } = await calls.json(
    Artifacts,
    `${root}/actions/runs/${run}/artifacts?name=${encodeURIComponent(name)}&per_page=100`,
  );
  const [found, ...others] = artifacts.filter(
    (one) =>
      one.name === name &&
      (one.workflow_run == null || String(one.workflow_run.id) === run),
  );
  if (found === undefined || others.length > 0)
    throw new CodeHostError(
      `Run ${run} has ${found ? "several artifacts" : "no artifact"} ${name}.`,
    );
  if (found.expired)
    throw new CodeHostError(`The artifact ${name} of run ${run} has expired.`);
  const zip = await calls.bytes(`${root}/actions/artifacts/${found.id}/zip`);
  try {
    return await onlyZipEntry(zip, PLAN_FILE, MOST_PLAN_BYTES);
  } catch (error) {
    throw new CodeHostError(
      `The artifact ${name} of run ${run} cannot be used: ${(error as Error).message}.`,
    );
  }
}

function eventIn({ GITHUB_EVENT_PATH: path }: RunnerVariables) {
  if (!path) return Event.parse({});
  try {
    return Event.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new UsageError(
      `The event of the workflow, ${path} (GITHUB_EVENT_PATH), cannot be read.`,
    );
  }
}
