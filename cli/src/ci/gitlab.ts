import { z } from "zod";
import {
  neededVariables,
  type HostApi,
  type HostFlags,
  type HostText,
  type PlanPlace,
  type RunnerVariables,
} from "./code-host";
import { CodeHostError, HostCalls } from "./host-calls";
import type { PlanRecord } from "./plan-record";

const WORDS: HostApi["words"] = {
  edit: "PUT",
  requests: "merge_requests",
  number: "iid",
  open: "opened",
  branch: "target_branch",
  discussed: "merge_requests",
  comments: "notes",
  commits: "repository/commits",
  ofCommit: "note",
  ofIssue: "description",
  close: { state_event: "close" },
};

const MergeRequest = z.looseObject({
  iid: z.number(),
  sha: z.string(),
  state: z.string(),
  /** Null for a fork that was deleted. */
  source_project_id: z.number().nullish(),
  target_branch: z.string(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
});
const User = z.looseObject({ id: z.number() });
/** A note of a merge request, a comment on a commit, which has no ID, or an issue. */
const Text = z
  .looseObject({
    id: z.number().optional(),
    iid: z.number().optional(),
    body: z.string().nullish(),
    note: z.string().nullish(),
    description: z.string().nullish(),
    author: User.nullish(),
  })
  .transform(
    ({ id = 0, iid = id, body, note, description, author }): HostText => ({
      id: iid,
      body: body ?? note ?? description ?? "",
      author: author ? String(author.id) : undefined,
    }),
  );
const Job = z.looseObject({
  name: z.string(),
  status: z.string(),
  pipeline: z.looseObject({
    id: z.number(),
    project_id: z.number(),
    ref: z.string(),
    sha: z.string(),
  }),
});

/** GitLab, from within a pipeline. @throws UsageError without the variables of a job */
export function gitLab(env: RunnerVariables, flags: HostFlags): HostApi {
  const needed = neededVariables(
    env,
    ["CI_PROJECT_ID", "CI_JOB_ID", "CI_JOB_URL", "CI_API_V4_URL"],
    "GitLab gives these to every job of a pipeline",
  );
  const { CI_PROJECT_ID: project, CI_JOB_ID: run } = needed;
  const root = `/projects/${project}`;
  // A pipeline for merged results runs on a commit that nobody knows.
  const commit =
    flags.commit ??
    (env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || (env.CI_COMMIT_SHA ?? ""));
  const main =
    env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ||
    (env.CI_DEFAULT_BRANCH ?? env.CI_COMMIT_BRANCH ?? "main");
  const calls = new HostCalls(needed.CI_API_V4_URL, {
    name: "GITLAB_TOKEN",
    value: env.GITLAB_TOKEN,
    headers: (token) => ({ "private-token": token }),
  });

  /**
   * The plan that a job kept. A job of a matrix has its variables in its name:
   * `apply: [., prod]` takes the plan of `review: [., prod]`.
   */
  async function planOf(
    { run }: PlanRecord,
    { path }: PlanPlace,
    kept: "review" | "recover",
    objectionTo: (job: z.output<typeof Job>) => string | undefined,
  ): Promise<Uint8Array> {
    const job = await calls.json(Job, `${root}/jobs/${run}`);
    const name = (env.CI_JOB_NAME ?? "").replace(/^[\w-]+/, kept);
    const { project_id: of } = job.pipeline;
    const objection =
      String(of) !== project
        ? `that is a job of project ${of}`
        : job.name !== name
          ? `that is the job ${job.name}, and not ${name}`
          : job.status !== "success"
            ? `that job ended as ${job.status}`
            : objectionTo(job);
    if (objection !== undefined)
      throw new CodeHostError(
        `The comment names job ${run} as its review, but ${objection}.`,
      );
    const file = path.split("/").map(encodeURIComponent).join("/");
    return calls.bytes(`${root}/jobs/${run}/artifacts/${file}`);
  }

  return {
    ...{ calls, root, words: WORDS, text: Text, run, commit, main },
    log: needed.CI_JOB_URL,
    recovery:
      "start the job `recover` by hand, in the newest pipeline of the main branch",
    request: MergeRequest.transform(({ sha, source_project_id: source }) => ({
      commit: sha,
      isForked: String(source) !== project,
    })),
    commentAt: (request, id) => `${root}/merge_requests/${request}/notes/${id}`,
    // GitLab would run it in this project, with its secrets, for the token of a member.
    review: (request) =>
      calls.send("POST", `${root}/merge_requests/${request}/pipelines`),
    /** A pipeline of the main branch belongs to the one that brought its commit, among all that have it. */
    async requestOfThis() {
      const asked =
        flags.pullRequest ?? (env.CI_MERGE_REQUEST_IID || undefined);
      if (asked !== undefined) return asked;
      const all = await calls.list(
        MergeRequest,
        `${root}/repository/commits/${commit}/merge_requests`,
      );
      const brought = all.find(
        ({ state, target_branch: target, sha, ...merged }) =>
          state === "merged" &&
          target === main &&
          [sha, merged.merge_commit_sha, merged.squash_commit_sha].includes(
            commit,
          ),
      );
      return brought && String(brought.iid);
    },
    author: async () => String((await calls.json(User, "/user")).id),
    planOfReview(record, request, place) {
      const refs = `refs/merge-requests/${request}/`;
      return planOf(record, place, "review", ({ pipeline: { ref, sha } }) => {
        if (!ref.startsWith(refs))
          return `that is a job for ${ref}, and not for merge request !${request}`;
        // A pipeline for merged results, .../merge, has a commit of its own.
        return ref === `${refs}head` && sha !== record.commit
          ? `that is a job for commit ${sha}`
          : undefined;
      });
    },
    planOfThisRun: (record, place) =>
      planOf(record, place, "recover", ({ pipeline: { id } }) =>
        String(id) === env.CI_PIPELINE_ID
          ? undefined
          : `that is a job of pipeline ${id}, and not of this one`,
      ),
  };
}
