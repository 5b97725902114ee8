import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PLAN_FILE } from "../../cli/src/ci/plan-record";
import type { ReviewRepository } from "../cli/sources/review/review-repository";
import type { FakeCodeHost } from "./fake-code-host";
import {
  MAIN_EVENT,
  onHost,
  refOf,
  requestEvent,
  type HostCase,
} from "./host-cases";
import type { LocalWorkspace } from "./local-workspace";

type Texts = Readonly<Record<string, string>>;

/** A job of the pipelines, by its name on GitLab. */
export type Job =
  | "review"
  | "apply"
  | "recover"
  | "recover-apply"
  | "drift"
  | "review-again";

/** What a job is given. */
export interface Given {
  readonly request?: string;
  /** The newest commit of the request. Default: the reviewed one. */
  readonly newest?: string;
  /** The commit of a job on the main branch. Default: the newest one. */
  readonly commit?: string;
  readonly env?: Texts;
}

/** A job, and the variables of its runner. */
export interface Execution<JobGiven> {
  readonly on: HostCase;
  readonly job: Job;
  readonly given: JobGiven;
  readonly env: Record<string, string>;
}

/** Where a job runs, and for what. */
interface Place {
  readonly on: HostCase;
  readonly job: Job;
  readonly event: object;
  readonly request?: string | undefined;
}

/**
 * A repository with pipelines on GitHub and GitLab, for which a host on loopback answers. A
 * subclass says how the command of a job runs, and what the engine is.
 */
export abstract class PipelineRepository<
  JobGiven extends Given,
  Result extends { readonly code: number | null },
> {
  #runs = 500;

  /**
   * @param git a repository without commits
   * @param runner a folder for the files of the runner, which git ignores
   * @param settings variables of every job
   */
  constructor(
    readonly git: ReviewRepository,
    readonly workspace: LocalWorkspace,
    readonly host: FakeCodeHost,
    private readonly runner: string,
    private readonly settings: Texts,
  ) {
    git.commit();
    // The repository is its own origin.
    git.git("remote", "add", "origin", git.path);
  }

  /** Runs the command of a job, with the variables of its runner. */
  protected abstract execute(execution: Execution<JobGiven>): Promise<Result>;

  /** Commits files to a branch that begins at another one; returns the commit. */
  push(
    branch: string,
    files: Readonly<Record<string, unknown>>,
    from = "main",
  ): string {
    this.git.git("checkout", "--quiet", "--force", "-B", branch, from);
    for (const [name, content] of Object.entries(files))
      this.git.file(name, content);
    this.git.commit();
    return this.commitOf("HEAD");
  }

  /** Merges a commit into the main branch, as the merge button of a host does; returns the new commit. */
  merge(commit: string, { request = "7", isSquashed = false } = {}): string {
    this.git.git("checkout", "--quiet", "--force", "main");
    if (isSquashed) {
      this.git.git("merge", "--quiet", "--squash", commit);
      this.git.commit();
    } else this.#mergeHere(commit);
    const merged = this.commitOf("HEAD");
    this.host.cameWith.set(merged, request);
    // The job that applies has a checkout of its own.
    rmSync(join(this.git.path, "in-force.txt"), { force: true });
    return merged;
  }

  /**
   * Reviews a commit as the workflow of a host does: GitHub reviews its merge with the main
   * branch, GitLab the commit itself. If a plan was kept, the host gets it.
   */
  review(on: HostCase, commit: string, given = {} as JobGiven) {
    const { request = "7", newest = commit } = given;
    this.host.heads.set(request, newest);
    this.git.git("fetch", "--quiet", "origin");
    this.#checkOut(on.isGitLab ? commit : "main");
    if (!on.isGitLab) this.#mergeHere(commit);
    const event = requestEvent(request, commit);
    return this.#ran({ on, job: "review", event, request }, commit, given);
  }

  /** Applies a merge. */
  apply(on: HostCase, merged: string, given = {} as JobGiven) {
    const place = this.merged(on, merged, given);
    return this.#ran(place, merged, given);
  }

  /** Runs a job on the main branch. A recovery is applied that the last job has planned. */
  run(on: HostCase, job: Job, given = {} as JobGiven) {
    const commit = given.commit ?? this.commitOf("main");
    this.#checkOut(commit);
    return this.#ran({ on, job, event: MAIN_EVENT }, commit, given);
  }

  commitOf(name: string): string {
    return this.git.git("rev-parse", name).trim();
  }

  /** Checks out a merge, for the job that applies it. */
  protected merged(
    on: HostCase,
    merged: string,
    { request = "7" }: Given = {},
  ): Place {
    this.#checkOut(merged);
    const head = this.host.heads.get(request) ?? "";
    const event = requestEvent(request, head, merged);
    return { on, job: "apply", event };
  }

  /** What a runner gives to a command, beside the variables of the job. */
  protected variables(
    { on, job, event, request }: Place,
    commit: string,
  ): Record<string, string> {
    const place = (name: string) => join(this.runner, name);
    for (const file of ["output", "summary"]) writeFileSync(place(file), "");
    writeFileSync(place("event.json"), JSON.stringify(event));
    return {
      ...(onHost(on, this.host.url, {
        GITHUB_RUN_ID: String(this.#runs),
        GITHUB_EVENT_PATH: place("event.json"),
        GITHUB_OUTPUT: place("output"),
        GITHUB_STEP_SUMMARY: place("summary"),
        GITHUB_SHA: commit,
        GITHUB_BASE_REF: "",
        CI_PIPELINE_ID: "900",
        CI_JOB_ID: String(this.#runs),
        CI_JOB_NAME: `${job}: [., rules, stack]`,
        CI_COMMIT_SHA: commit,
        CI_MERGE_REQUEST_IID: request ?? "",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: request ? "main" : "",
        CI_COMMIT_BRANCH: "main",
        CI_DEFAULT_BRANCH: "main",
        BASE: "main",
      }) as Texts),
      ...this.workspace.env,
      ...this.settings,
    };
  }

  #checkOut(commit: string): void {
    this.git.git("checkout", "--quiet", "--force", "--detach", commit);
  }

  #mergeHere(commit: string): void {
    this.git.git("merge", "--quiet", "--no-ff", "--message=Merge", commit);
  }

  async #ran(place: Place, commit: string, given: JobGiven) {
    const { on, job, request } = place;
    // A recovery on GitHub is one run with two jobs.
    if (job !== "recover-apply") this.#runs += 1;
    const run = this.#runs;
    const env = { ...this.variables(place, commit), ...given.env };
    const plan = join(this.git.path, PLAN_FILE);
    const plans = job === "review" || job === "recover";
    if (plans) rmSync(plan, { force: true });
    const result = await this.execute({ on, job, given, env });
    const isKept = plans && existsSync(plan);
    if (isKept) {
      const outputs = readFileSync(join(this.runner, "output"), "utf8");
      const [, artifact = ""] = /^artifact=(.*)$/m.exec(outputs) ?? [];
      this.host.keep(
        {
          ...{ id: run, commit, job: env.CI_JOB_NAME ?? "" },
          ...{ pipeline: 900, ref: refOf(request) },
        },
        readFileSync(plan),
        { ...on, name: on.isGitLab ? PLAN_FILE : artifact },
      );
    }
    return { ...result, isKept };
  }
}
