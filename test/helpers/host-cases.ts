import type { RunnerVariables } from "../../cli/src/ci/code-host";
import type { Author } from "./fake-code-host";

const ACTIONS: Author = { id: 1, login: "github-actions[bot]", isApp: true };
const ROBOT: Author = { id: 2, login: "rules-robot" };
/** A person. */
export const ANA: Author = { id: 3, login: "ana" };

/** The authors of comments, by their tokens. */
export const TOKENS: Readonly<Record<string, Author>> = {
  "token-of-actions": ACTIONS,
  "token-of-robot": ROBOT,
  "token-of-fork": { ...ACTIONS, mayWrite: false },
};

/** A host, and the author of the pipeline's comments there. */
export interface HostCase {
  readonly name: string;
  readonly isGitLab: boolean;
  readonly author: Author;
}

export const GITHUB: HostCase = {
  ...{ name: "GitHub", isGitLab: false, author: ACTIONS },
};
export const GITLAB: HostCase = {
  ...{ name: "GitLab", isGitLab: true, author: ROBOT },
};
export const HOSTS: readonly HostCase[] = [GITHUB, GITLAB];

/** What GitHub says on the main branch. */
export const MAIN_EVENT = { repository: { default_branch: "main" } };

/** What GitHub says about a request, or about its merge. */
export const requestEvent = (
  request: string,
  head: string,
  merged?: string,
) => ({
  pull_request: {
    ...{ number: Number(request), head: { sha: head }, base: { ref: "main" } },
    ...(merged !== undefined && { merged: true, merge_commit_sha: merged }),
  },
});

/** Where GitLab runs a job for a request, or on the main branch. */
export const refOf = (request: string | undefined): string =>
  request === undefined ? "main" : `refs/merge-requests/${request}/head`;

/** The variables that a runner of a host has. */
export const onHost = (
  { isGitLab }: HostCase,
  url: string,
  other: RunnerVariables = {},
): RunnerVariables =>
  isGitLab
    ? {
        GITLAB_CI: "true",
        GITLAB_TOKEN: "token-of-robot",
        CI_API_V4_URL: url,
        CI_PROJECT_ID: "1",
        CI_JOB_ID: "500",
        CI_MERGE_REQUEST_IID: "7",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
        CI_JOB_URL: "https://gitlab.example/shop/rules/-/jobs/500",
        ...other,
      }
    : {
        GITHUB_ACTIONS: "true",
        GITHUB_TOKEN: "token-of-actions",
        GITHUB_API_URL: url,
        GITHUB_SERVER_URL: "https://github.example",
        GITHUB_REPOSITORY: "shop/rules",
        GITHUB_RUN_ID: "500",
        ...other,
      };
