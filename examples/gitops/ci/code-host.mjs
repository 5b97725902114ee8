// The calls of the pipelines to GitHub and GitLab. Both hosts have the same functions.
import { env } from "node:process";

/** Runs a script. An error is printed as one sentence, with the exit code 1. */
export async function plainly(script) {
  try {
    await script();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * The host of this pipeline. Pull requests and merge requests are called requests, and
 * identified by number.
 */
export function codeHost() {
  return env.GITLAB_CI ? gitlab() : github();
}

function github() {
  const { text, json } = calls(env.GITHUB_API_URL, "GITHUB_TOKEN", (token) => ({
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
  }));
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const runs = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs`;
  return {
    log: `${runs}/${env.GITHUB_RUN_ID}`,
    commit: env.COMMIT || env.GITHUB_SHA,
    recovery:
      "start the workflow **Recover filtering rules** by hand, in Actions",
    requestOfThis: async () => env.PULL_REQUEST,
    async newestCommit(request) {
      const { head } = await json("GET", `${repository}/pulls/${request}`);
      return head.sha;
    },
    /** The first hundred, the newest first. */
    async openRequests() {
      const open = `${repository}/pulls?state=open&base=${env.MAIN}&per_page=100`;
      return (await json("GET", open)).map(({ number }) => number);
    },
    /**
     * Reviews a request again. One from a fork is left out: this review has secrets,
     * and runs what the branch says.
     */
    async reviewAgain(request) {
      const { head } = await json("GET", `${repository}/pulls/${request}`);
      if (head.repo?.full_name !== env.GITHUB_REPOSITORY) return false;
      const review = `${repository}/actions/workflows/rules-review.yml/dispatches`;
      const inputs = { pull_request: String(request) };
      await text("POST", review, { ref: env.MAIN, inputs });
      return true;
    },
    /**
     * The account of this token. The token of a workflow is not allowed to read it from
     * GitHub.
     */
    async author() {
      if (env.COMMENT_AUTHOR) return env.COMMENT_AUTHOR;
      try {
        return (await json("GET", "/user")).login;
      } catch (error) {
        if (error.status === 403) return "github-actions[bot]";
        throw error;
      }
    },
    authorOf: ({ user }) => user?.login,
    comments: (request, page) =>
      json(
        "GET",
        `${repository}/issues/${request}/comments?per_page=100&page=${page}`,
      ),
    add: (request, body) =>
      text("POST", `${repository}/issues/${request}/comments`, { body }),
    edit: (request, { id }, body) =>
      text("PATCH", `${repository}/issues/comments/${id}`, { body }),
    addToCommit: (commit, body) =>
      text("POST", `${repository}/commits/${commit}/comments`, { body }),
    /** A page of the open issues; pull requests are issues as well. */
    async issues(page) {
      const open = `${repository}/issues?state=open&per_page=100&page=${page}`;
      return (await json("GET", open)).map((issue) => ({
        ...issue,
        body: issue.body ?? "",
      }));
    },
    openIssue: (title, body) =>
      text("POST", `${repository}/issues`, { title, body }),
    editIssue: ({ number }, body) =>
      text("PATCH", `${repository}/issues/${number}`, { body }),
    async closeIssue({ number }, body) {
      await text("POST", `${repository}/issues/${number}/comments`, { body });
      await text("PATCH", `${repository}/issues/${number}`, {
        state: "closed",
      });
    },
  };
}

function gitlab() {
  const { text, json } = calls(env.CI_API_V4_URL, "GITLAB_TOKEN", (token) => ({
    "private-token": token,
  }));
  const project = `/projects/${env.CI_PROJECT_ID}`;
  const notes = (request) => `${project}/merge_requests/${request}/notes`;
  return {
    log: env.CI_JOB_URL,
    commit: env.COMMIT || env.CI_COMMIT_SHA,
    recovery:
      "start the job `recover` by hand, in the newest pipeline of the main branch",
    /**
     * A pipeline of the main branch belongs to the merge request that brought the
     * commit.
     */
    async requestOfThis() {
      if (env.CI_MERGE_REQUEST_IID) return env.CI_MERGE_REQUEST_IID;
      const merged = `${project}/repository/commits/${env.CI_COMMIT_SHA}/merge_requests`;
      return (await json("GET", merged))[0]?.iid;
    },
    async newestCommit(request) {
      return (await json("GET", `${project}/merge_requests/${request}`)).sha;
    },
    /** The first hundred, the newest first. */
    async openRequests() {
      const open = `${project}/merge_requests?state=opened&target_branch=${env.MAIN}&per_page=100`;
      return (await json("GET", open)).map(({ iid }) => iid);
    },
    /**
     * Starts a pipeline of the request, as a push does. The pipeline of a request from
     * a fork runs in the fork.
     */
    async reviewAgain(request) {
      await text("POST", `${project}/merge_requests/${request}/pipelines`);
      return true;
    },
    author: async () => (await json("GET", "/user")).id,
    authorOf: ({ author }) => author?.id,
    comments: (request, page) =>
      json("GET", `${notes(request)}?per_page=100&page=${page}`),
    add: (request, body) => text("POST", notes(request), { body }),
    edit: (request, { id }, body) =>
      text("PUT", `${notes(request)}/${id}`, { body }),
    addToCommit: (commit, note) =>
      text("POST", `${project}/repository/commits/${commit}/comments`, {
        note,
      }),
    /**
     * A file that the last review of a merge request kept. A job of a matrix has
     * its variables in its name: `apply: [., prod]` is that of `review: [., prod]`.
     */
    kept(request, file) {
      const ref = encodeURIComponent(`refs/merge-requests/${request}/head`);
      const job = env.CI_JOB_NAME.replace(/^apply/, "review");
      return text(
        "GET",
        `${project}/jobs/artifacts/${ref}/raw/${file}?job=${encodeURIComponent(job)}`,
      );
    },
    async issues(page) {
      const open = `${project}/issues?state=opened&per_page=100&page=${page}`;
      return (await json("GET", open)).map((issue) => ({
        ...issue,
        body: issue.description ?? "",
      }));
    },
    openIssue: (title, description) =>
      text("POST", `${project}/issues`, { title, description }),
    editIssue: ({ iid }, description) =>
      text("PUT", `${project}/issues/${iid}`, { description }),
    async closeIssue({ iid }, body) {
      await text("POST", `${project}/issues/${iid}/notes`, { body });
      await text("PUT", `${project}/issues/${iid}`, { state_event: "close" });
    },
  };
}

/** Calls of a host's API. An error message is one sentence, without the token. */
function calls(api, tokenName, headersWith) {
  async function text(method, path, content) {
    const call = `${method} ${api}${path}`;
    const token = env[tokenName];
    if (!token)
      throw new Error(
        `${call} was not tried, for ${tokenName} is not set. A pull request from a fork is given no secrets.`,
      );
    const failed = (why, status) =>
      Object.assign(new Error(`${call} ${why}`.replaceAll(token, "***")), {
        status,
      });
    let answer, body;
    try {
      answer = await fetch(api + path, {
        method,
        headers: { "content-type": "application/json", ...headersWith(token) },
        body: content && JSON.stringify(content),
        signal: AbortSignal.timeout(60_000),
      });
      body = await answer.text();
    } catch (error) {
      throw failed(`was not answered: ${(error.cause ?? error).message}`);
    }
    if (answer.ok) return body;
    throw failed(
      `was answered ${answer.status}: ${messageIn(body)}`,
      answer.status,
    );
  }
  const json = async (...call) => JSON.parse(await text(...call));
  return { text, json };
}

/** The error message of an answer, in one line. */
function messageIn(body) {
  try {
    const { message, error } = JSON.parse(body);
    return JSON.stringify(message ?? error ?? body);
  } catch {
    return JSON.stringify(body.slice(0, 200));
  }
}
