import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../errors";
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
import { MOST_PLAN_BYTES, PLAN_FILE, type PlanRecord } from "./plan-record";
import { onlyZipEntry } from "./zip-entry";

/** The workflow that reviews, if no other is named. */
const REVIEW_WORKFLOW = "rules-review.yml";

/** The account of a workflow's own token, which may not ask for its user. */
const ACTIONS = "github-actions[bot]";

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

/** GitHub, from within a workflow. */
export class GitHub implements CodeHost {
  readonly log: string;
  readonly run: string;
  readonly commit: string;
  readonly main: string;
  readonly recovery =
    "start the workflow **Recover filtering rules** by hand, in Actions";
  readonly #calls: HostCalls;
  readonly #name: string;
  readonly #api: string;
  readonly #reviewWorkflow: string;
  readonly #request: string | undefined;
  readonly #commentAuthor: string | undefined;

  /** @throws UsageError without the variables of a workflow */
  constructor(env: RunnerVariables, flags: HostFlags) {
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
    this.#name = name;
    this.#api = `/repos/${name}`;
    this.run = run;
    this.log = `${needed.GITHUB_SERVER_URL}/${name}/actions/runs/${run}`;
    this.#reviewWorkflow = flags.reviewWorkflow ?? REVIEW_WORKFLOW;
    this.#commentAuthor = env.COMMENT_AUTHOR || undefined;
    this.#request =
      flags.pullRequest ??
      (request ? String(request.number) : inputs?.pull_request || undefined);
    const merged = request?.merged ? request.merge_commit_sha : undefined;
    this.commit =
      flags.commit ?? merged ?? request?.head.sha ?? env.GITHUB_SHA ?? "";
    this.main =
      request?.base.ref ??
      repository?.default_branch ??
      env.GITHUB_REF_NAME ??
      "main";
    this.#calls = new HostCalls(needed.GITHUB_API_URL, {
      name: "GITHUB_TOKEN",
      value: env.GITHUB_TOKEN,
      headers: (token) => ({
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
      }),
    });
  }

  requestOfThis(): Promise<string | undefined> {
    return Promise.resolve(this.#request);
  }

  async newestCommit(request: string): Promise<string> {
    return (await this.#pullRequest(request)).head.sha;
  }

  async openRequests(page: number): Promise<string[]> {
    const base = encodeURIComponent(this.main);
    const open = await this.#calls.list(
      z.looseObject({ number: z.number() }),
      `${this.#api}/pulls?state=open&base=${base}`,
      page,
    );
    return open.map(({ number }) => String(number));
  }

  /**
   * Reviews a pull request again, unless it comes from a fork: this review has secrets,
   * and runs what the branch says.
   */
  async reviewAgain(request: string): Promise<boolean> {
    const { head } = await this.#pullRequest(request);
    if (head.repo?.full_name !== this.#name) return false;
    await this.#calls.send(
      "POST",
      `${this.#api}/actions/workflows/${encodeURIComponent(this.#reviewWorkflow)}/dispatches`,
      { ref: this.main, inputs: { pull_request: request } },
    );
    return true;
  }

  async author(): Promise<string> {
    if (this.#commentAuthor !== undefined) return this.#commentAuthor;
    try {
      return (await this.#calls.json(User, "/user")).login;
    } catch (error) {
      if (error instanceof CodeHostError && error.status === 403)
        return ACTIONS;
      throw error;
    }
  }

  comments(place: CommentPlace, page: number): Promise<HostText[]> {
    return this.#calls.list(Text, this.#commentsOf(place), page);
  }

  addComment(place: CommentPlace, body: string): Promise<void> {
    return this.#calls.send("POST", this.#commentsOf(place), { body });
  }

  editComment(_request: string, id: number, body: string): Promise<void> {
    const path = `${this.#api}/issues/comments/${id}`;
    return this.#calls.send("PATCH", path, { body });
  }

  issues(page: number): Promise<HostText[]> {
    return this.#calls.list(Text, `${this.#api}/issues?state=open`, page);
  }

  openIssue(title: string, body: string): Promise<void> {
    return this.#calls.send("POST", `${this.#api}/issues`, { title, body });
  }

  editIssue(id: number, body: string): Promise<void> {
    return this.#calls.send("PATCH", `${this.#api}/issues/${id}`, { body });
  }

  async closeIssue(id: number, comment: string): Promise<void> {
    const issue = `${this.#api}/issues/${id}`;
    await this.#calls.send("PATCH", issue, { state: "closed" });
    await this.#calls.send("POST", `${issue}/comments`, { body: comment });
  }

  async planOfReview(
    record: PlanRecord,
    _request: string,
    { artifact }: PlanPlace,
  ): Promise<Uint8Array> {
    const run = await this.#calls.json(
      Run,
      `${this.#api}/actions/runs/${record.run}`,
    );
    const objection = this.#objectionTo(run, record);
    if (objection !== undefined)
      throw new CodeHostError(
        `The comment names run ${record.run} as its review, but ${objection}.`,
      );
    return this.#artifact(record.run, artifact);
  }

  async planOfThisRun(
    record: PlanRecord,
    { artifact }: PlanPlace,
  ): Promise<Uint8Array> {
    if (record.run !== this.run)
      throw new CodeHostError(
        `The plan is of run ${record.run}, and this is run ${this.run}.`,
      );
    return this.#artifact(this.run, artifact);
  }

  /** Why a run is not the review of a commit of this repository. */
  #objectionTo(
    run: z.output<typeof Run>,
    { commit }: PlanRecord,
  ): string | undefined {
    const workflow = `.github/workflows/${this.#reviewWorkflow}`;
    if (run.repository.full_name !== this.#name)
      return `that is a run in ${run.repository.full_name}`;
    if (run.head_repository?.full_name !== this.#name)
      return `its commit is of ${run.head_repository?.full_name ?? "a deleted repository"}, and not of ${this.#name}`;
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
        return run.head_branch === this.main
          ? undefined
          : `that run was started on ${run.head_branch ?? "no branch"}, and not on ${this.main}`;
      default:
        return `that run was started by the event ${run.event}`;
    }
  }

  /** The plan in an artifact of one run. */
  async #artifact(run: string, name: string): Promise<Uint8Array> {
    const { artifacts } = await this.#calls.json(
      Artifacts,
      `${this.#api}/actions/runs/${run}/artifacts?name=${encodeURIComponent(name)}&per_page=100`,
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
      throw new CodeHostError(
        `The artifact ${name} of run ${run} has expired.`,
      );
    const zip = await this.#calls.bytes(
      `${this.#api}/actions/artifacts/${found.id}/zip`,
    );
    try {
      return await onlyZipEntry(zip, PLAN_FILE, MOST_PLAN_BYTES);
    } catch (error) {
      throw new CodeHostError(
        `The artifact ${name} of run ${run} cannot be used: ${(error as Error).message}.`,
      );
    }
  }

  #pullRequest(request: string) {
    return this.#calls.json(PullRequest, `${this.#api}/pulls/${request}`);
  }

  #commentsOf(place: CommentPlace): string {
    return "request" in place
      ? `${this.#api}/issues/${place.request}/comments`
      : `${this.#api}/commits/${place.commit}/comments`;
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
