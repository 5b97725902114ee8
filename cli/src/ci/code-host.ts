import { parseUrl } from "@devid/sdk/errors";
import { UsageError } from "../errors";
import type { PlanRecord } from "./plan-record";

/** The variables of a runner. */
export type RunnerVariables = Readonly<Record<string, string | undefined>>;

/** The tokens of the hosts. */
const TOKENS = ["GITHUB_TOKEN", "GH_TOKEN", "GITLAB_TOKEN"];

/**
 * Takes the variables of the runner. The tokens of the host then leave the environment, so
 * that neither the program of a pull request nor the engine is given them.
 */
export function takeRunnerVariables(): RunnerVariables {
  const taken = { ...process.env };
  for (const name of TOKENS) delete process.env[name];
  return taken;
}

/**
 * The variables that a runner gives to every step, none of which may be missing. Names that end
 * in `_URL` are addresses of http or https.
 * @param giver for messages: `GitHub gives to every step of a workflow`
 * @throws UsageError that names each variable that is missing or cannot be used
 */
export function neededVariables<Name extends string>(
  env: RunnerVariables,
  names: readonly Name[],
  giver: string,
): Readonly<Record<Name, string>> {
  const wrong = names.flatMap((name) => {
    const value = env[name];
    if (!value) return [`${name} is not set`];
    const isAddress = /^https?:/.test(value) && parseUrl(value) !== undefined;
    return name.endsWith("_URL") && !isAddress
      ? [`${name} is not the address of a host`]
      : [];
  });
  if (wrong.length > 0)
    throw new UsageError(
      `${wrong.join(", ")}: ${giver}. Elsewhere, set ${wrong.length === 1 ? "it" : "them"} yourself.`,
    );
  return Object.fromEntries(
    names.map((name) => [name, env[name] ?? ""]),
  ) as Record<Name, string>;
}

/** What a comment is written on: a pull request, by its number, or a commit. */
export type CommentPlace =
  | { readonly request: string }
  | { readonly commit: string };

/** A comment, or an issue, of a host. */
export interface HostText {
  /** ID of a comment, number of an issue. */
  readonly id: number;
  /** ID or login of its author. */
  readonly author: string | undefined;
  readonly body: string;
}

/**
 * The host of a repository: GitHub or GitLab. Pull requests and merge requests are called
 * requests, and identified by their numbers.
 */
export interface CodeHost {
  /** Address of the log of this run. */
  readonly log: string;
  /** ID of the run (GitHub) or job (GitLab) that keeps a reviewed plan. */
  readonly run: string;
  /** The commit that this run reports about: of the request, or of the main branch. */
  readonly commit: string;
  /** Name of the branch that requests are merged into. */
  readonly main: string;
  /** Says how to start a recovery. */
  readonly recovery: string;

  /** The request under review, or the request that brought the commit to the main branch. */
  requestOfThis(): Promise<string | undefined>;
  newestCommit(request: string): Promise<string>;
  /** A page of the open requests for the main branch, 100 at most. */
  openRequests(page: number): Promise<string[]>;
  /** Starts the review of a request again. False for one that must not see the keys. */
  reviewAgain(request: string): Promise<boolean>;

  /** The account of this token, as `HostText.author` has it. */
  author(): Promise<string>;
  /** A page of comments, 100 at most. */
  comments(place: CommentPlace, page: number): Promise<HostText[]>;
  addComment(place: CommentPlace, body: string): Promise<void>;
  editComment(request: string, id: number, body: string): Promise<void>;

  /** A page of the open issues, 100 at most. */
  issues(page: number): Promise<HostText[]>;
  openIssue(title: string, body: string): Promise<void>;
  editIssue(id: number, body: string): Promise<void>;
  closeIssue(id: number, comment: string): Promise<void>;

  /**
   * The bytes of the plan that the review of a request kept. The run that a comment names
   * counts only if it is a run of the review, for this commit, of this repository.
   * @throws CodeHostError if the run is another, or there is no such file in it
   */
  planOfReview(
    record: PlanRecord,
    request: string,
    place: PlanPlace,
  ): Promise<Uint8Array>;
  /** The bytes of the plan that this run, or this pipeline, has kept itself. */
  planOfThisRun(record: PlanRecord, place: PlanPlace): Promise<Uint8Array>;
}

/** Where a run keeps the plan of a rule file, environment and stack. */
export interface PlanPlace {
  /** Name of the artifact, on GitHub. */
  readonly artifact: string;
  /** Path of the file from the root of the repository, on GitLab. */
  readonly path: string;
}

/** What a user may say about the host; the rest is read from the runner's variables. */
export interface HostFlags {
  readonly pullRequest?: string;
  readonly commit?: string;
  /** File name of the workflow that reviews, on GitHub. */
  readonly reviewWorkflow?: string;
}
