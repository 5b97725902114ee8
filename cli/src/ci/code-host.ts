import { parseUrl } from "@devid/sdk/errors";
import { z } from "zod";
import { UsageError } from "../errors";
import type { HostCalls } from "./host-calls";
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
 * What differs between the hosts: addresses and words of their APIs, and who reviews. Pull
 * requests and merge requests are called requests, and identified by their numbers.
 */
export interface HostApi {
  readonly calls: HostCalls;
  /** Path of the repository: `/repos/shop/rules`. */
  readonly root: string;
  readonly words: {
    /** How an edit is sent. */
    readonly edit: "PATCH" | "PUT";
    readonly requests: "pulls" | "merge_requests";
    /** The member with the number of a request. */
    readonly number: "number" | "iid";
    /** The state of open requests and issues, and the parameter with the branch of requests. */
    readonly open: "open" | "opened";
    readonly branch: "base" | "target_branch";
    /** Where requests have comments, and what these are called. */
    readonly discussed: "issues" | "merge_requests";
    readonly comments: "comments" | "notes";
    readonly commits: "commits" | "repository/commits";
    /** The members with the text of a comment on a commit, and of an issue. */
    readonly ofCommit: "body" | "note";
    readonly ofIssue: "body" | "description";
    readonly close: Readonly<Record<string, string>>;
  };
  /** A comment, or an issue, of an answer. */
  readonly text: z.ZodType<HostText>;
  /** A request of an answer: its newest commit, and whether it comes from a fork. */
  readonly request: z.ZodType<{
    readonly commit: string;
    readonly isForked: boolean;
  }>;
  /** Path of a comment on a request. */
  commentAt(request: string, id: number): string;
  /** Starts the review of a request. It has secrets, and runs what the branch says. */
  review(request: string): Promise<void>;

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
  /** The account of this token, as `HostText.author` has it. */
  author(): Promise<string>;
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

/** The host of a repository: GitHub or GitLab. Its lists have pages of 100 entries at most. */
export type CodeHost = ReturnType<typeof hostOf>;

/** The host with an API. */
export function hostOf(api: HostApi) {
  const { calls, root, words, text, main } = api;
  const issue = (id: number) => `${root}/issues/${id}`;
  const requestNamed = (request: string) =>
    calls.json(api.request, `${root}/${words.requests}/${request}`);
  const commentsOf = (place: CommentPlace) =>
    "request" in place
      ? `${root}/${words.discussed}/${place.request}/${words.comments}`
      : `${root}/${words.commits}/${place.commit}/comments`;
  return {
    ...api,
    newestCommit: async (request: string) =>
      (await requestNamed(request)).commit,
    /** A page of the open requests for the main branch. */
    async openRequests(page: number): Promise<string[]> {
      const entry = z.looseObject({ [words.number]: z.number() });
      const target = `${words.branch}=${encodeURIComponent(main)}`;
      const path = `${root}/${words.requests}?state=${words.open}&${target}`;
      const open = await calls.list(entry, path, page);
      return open.map(({ [words.number]: number }) => String(number));
    },
    /** Starts the review of a request again. False for one of a fork, which must not see the keys. */
    async reviewAgain(request: string): Promise<boolean> {
      if ((await requestNamed(request)).isForked) return false;
      await api.review(request);
      return true;
    },
    comments: (place: CommentPlace, page: number) =>
      calls.list(text, commentsOf(place), page),
    addComment: (place: CommentPlace, body: string) =>
      calls.send("POST", commentsOf(place), {
        ["request" in place ? "body" : words.ofCommit]: body,
      }),
    editComment: (request: string, id: number, body: string) =>
      calls.send(words.edit, api.commentAt(request, id), { body }),
    /** A page of the open issues. */
    issues: (page: number) =>
      calls.list(text, `${root}/issues?state=${words.open}`, page),
    openIssue: (title: string, body: string) =>
      calls.send("POST", `${root}/issues`, { title, [words.ofIssue]: body }),
    editIssue: (id: number, body: string) =>
      calls.send(words.edit, issue(id), { [words.ofIssue]: body }),
    async closeIssue(id: number, comment: string): Promise<void> {
      await calls.send(words.edit, issue(id), words.close);
      const comments = `${issue(id)}/${words.comments}`;
      await calls.send("POST", comments, { body: comment });
    },
  };
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
