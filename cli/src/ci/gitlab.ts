import { z } from "zod";
import {
  neededVariables,
  type CodeHost,
  type CommentPlace,
  type HostFlags,
  type HostText,
  type PlanPlace,
  type RunnerVariables,
} from "./code-host";
import { CodeHostError, HostCalls } from "./host-calls";
import type { PlanRecord } from "./plan-record";

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

/** GitLab, from within a pipeline. */
export class GitLab implements CodeHost {
  readonly log: string;
  readonly run: string;
  readonly commit: string;
  readonly main: string;
  readonly recovery =
    "start the job `recover` by hand, in the newest pipeline of the main branch";
  readonly #env: RunnerVariables;
  readonly #calls: HostCalls;
  readonly #project: string;
  readonly #request: string | undefined;

  /** @throws UsageError without the variables of a job */
  constructor(env: RunnerVariables, flags: HostFlags) {
    const needed = neededVariables(
      env,
      ["CI_PROJECT_ID", "CI_JOB_ID", "CI_JOB_URL", "CI_API_V4_URL"],
      "GitLab gives these to every job of a pipeline",
    );
    const { CI_PROJECT_ID: id, CI_JOB_ID: job } = needed;
    this.#env = env;
    this.#project = `/projects/${id}`;
    this.run = job;
    this.log = needed.CI_JOB_URL;
    this.#request =
      flags.pullRequest ?? (env.CI_MERGE_REQUEST_IID || undefined);
    // A pipeline for merged results runs on a commit that nobody knows.
    this.commit =
      flags.commit ??
      (env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || (env.CI_COMMIT_SHA ?? ""));
    this.main =
      env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ||
      (env.CI_DEFAULT_BRANCH ?? env.CI_COMMIT_BRANCH ?? "main");
    this.#calls = new HostCalls(needed.CI_API_V4_URL, {
      name: "GITLAB_TOKEN",
      value: env.GITLAB_TOKEN,
      headers: (token) => ({ "private-token": token }),
    });
  }

  /**
   * The merge request under review. A pipeline of the main branch belongs to the merge
   * request that brought its commit, among all that have the commit.
   */
  async requestOfThis(): Promise<string | undefined> {
    if (this.#request !== undefined) return this.#request;
    const { commit } = this;
    const all = await this.#calls.list(
      MergeRequest,
      `${this.#project}/repository/commits/${commit}/merge_requests`,
    );
    const brought = all.find(
      ({ state, target_branch: target, sha, ...merged }) =>
        state === "merged" &&
        target === this.main &&
        [sha, merged.merge_commit_sha, merged.squash_commit_sha].includes(
          commit,
        ),
    );
    return brought && String(brought.iid);
  }

  async newestCommit(request: string): Promise<string> {
    return (await this.#mergeRequest(request)).sha;
  }

  async openRequests(page: number): Promise<string[]> {
    const target = encodeURIComponent(this.main);
    const open = await this.#calls.list(
      z.looseObject({ iid: z.number() }),
      `${this.#project}/merge_requests?state=opened&target_branch=${target}`,
      page,
    );
    return open.map(({ iid }) => String(iid));
  }

  /**
   * Starts a pipeline of the merge request, as a push does, unless it comes from a fork: GitLab
   * would run that pipeline in this project, with its secrets, for the token of a member.
   */
  async reviewAgain(request: string): Promise<boolean> {
    const { source_project_id: source } = await this.#mergeRequest(request);
    if (String(source) !== this.#env.CI_PROJECT_ID) return false;
    const path = `${this.#project}/merge_requests/${request}/pipelines`;
    await this.#calls.send("POST", path);
    return true;
  }

  async author(): Promise<string> {
    return String((await this.#calls.json(User, "/user")).id);
  }

  comments(place: CommentPlace, page: number): Promise<HostText[]> {
    return this.#calls.list(Text, this.#commentsOf(place), page);
  }

  addComment(place: CommentPlace, body: string): Promise<void> {
    const content = "request" in place ? { body } : { note: body };
    return this.#calls.send("POST", this.#commentsOf(place), content);
  }

  editComment(request: string, id: number, body: string): Promise<void> {
    const path = `${this.#commentsOf({ request })}/${id}`;
    return this.#calls.send("PUT", path, { body });
  }

  issues(page: number): Promise<HostText[]> {
    const path = `${this.#project}/issues?state=opened`;
    return this.#calls.list(Text, path, page);
  }

  openIssue(title: string, description: string): Promise<void> {
    const path = `${this.#project}/issues`;
    return this.#calls.send("POST", path, { title, description });
  }

  editIssue(id: number, description: string): Promise<void> {
    const path = `${this.#project}/issues/${id}`;
    return this.#calls.send("PUT", path, { description });
  }

  async closeIssue(id: number, comment: string): Promise<void> {
    const issue = `${this.#project}/issues/${id}`;
    await this.#calls.send("PUT", issue, { state_event: "close" });
    await this.#calls.send("POST", `${issue}/notes`, { body: comment });
  }

  planOfReview(
    record: PlanRecord,
    request: string,
    { path }: PlanPlace,
  ): Promise<Uint8Array> {
    const refs = `refs/merge-requests/${request}/`;
    return this.#plan(record, path, "review", ({ pipeline: { ref, sha } }) => {
      if (!ref.startsWith(refs))
        return `that is a job for ${ref}, and not for merge request !${request}`;
      // A pipeline for merged results, .../merge, has a commit of its own.
      return ref === `${refs}head` && sha !== record.commit
        ? `that is a job for commit ${sha}`
        : undefined;
    });
  }

  planOfThisRun(record: PlanRecord, { path }: PlanPlace): Promise<Uint8Array> {
    return this.#plan(record, path, "recover", ({ pipeline: { id } }) =>
      String(id) === this.#env.CI_PIPELINE_ID
        ? undefined
        : `that is a job of pipeline ${id}, and not of this one`,
    );
  }

  /**
   * The plan that a job kept. A job of a matrix has its variables in its name:
   * `apply: [., prod]` takes the plan of `review: [., prod]`.
   */
  async #plan(
    { run }: PlanRecord,
    path: string,
    kept: "review" | "recover",
    objectionTo: (job: z.output<typeof Job>) => string | undefined,
  ): Promise<Uint8Array> {
    const job = await this.#calls.json(Job, `${this.#project}/jobs/${run}`);
    const name = (this.#env.CI_JOB_NAME ?? "").replace(/^[\w-]+/, kept);
    const { project_id: project } = job.pipeline;
    const objection =
      String(project) !== this.#env.CI_PROJECT_ID
        ? `that is a job of project ${project}`
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
    return this.#calls.bytes(`${this.#project}/jobs/${run}/artifacts/${file}`);
  }

  #mergeRequest(request: string) {
    const path = `${this.#project}/merge_requests/${request}`;
    return this.#calls.json(MergeRequest, path);
  }

  #commentsOf(place: CommentPlace): string {
    return "request" in place
      ? `${this.#project}/merge_requests/${place.request}/notes`
      : `${this.#project}/repository/commits/${place.commit}/comments`;
  }
}
