import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { PLAN_FILE } from "../../cli/src/ci/plan-record";
import { listen } from "./listen";
import { zipArchive } from "./zip-archive";

/** An author of comments. */
export interface Author {
  readonly id: number;
  readonly login: string;
  /**
   * Whether the token belongs to an app, such as that of a GitHub workflow.
   * Such a token may not ask for its own user.
   */
  readonly isApp?: boolean;
  /** Whether the token may write; default true. */
  readonly mayWrite?: boolean;
}

/**
 * A comment on a pull request, identified by its number, or on a commit,
 * identified by its hash.
 */
export interface Comment {
  readonly id: number;
  readonly on: string;
  readonly author: Author;
  body: string;
}

/** An issue. */
export interface Issue {
  readonly id: number;
  readonly author: Author;
  readonly title: string;
  body: string;
  isOpen: boolean;
}

/** The run of a workflow on GitHub, or a job of a pipeline on GitLab. */
export interface Run {
  readonly id: number;
  /** Default: the review of this repository. */
  readonly workflow?: string;
  readonly event?: string;
  readonly commit: string;
  readonly branch?: string;
  /** The repository of the commit. */
  readonly from?: string;
  /** GitLab: name, result, and pipeline of the job. */
  readonly job?: string;
  readonly status?: string;
  readonly ref?: string;
  readonly pipeline?: number;
  readonly project?: number;
}

/** A file, or an archive on GitHub, that a run kept. */
export interface Artifact {
  readonly id: number;
  readonly run: number;
  /** Name on GitHub, path on GitLab. */
  readonly name: string;
  readonly bytes: Buffer;
}

interface Sent {
  readonly body?: string;
  readonly note?: string;
  readonly description?: string;
  readonly title?: string;
  readonly state?: string;
  readonly state_event?: string;
  readonly inputs?: { readonly pull_request: string };
}

interface Answer {
  readonly status: number;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body: unknown;
  readonly location?: string;
}

/** The functions that answer calls, by their methods and paths below the repository; `*` is a part, `**` the rest. */
type Routes = Readonly<
  Record<
    string,
    (call: {
      readonly author: Author;
      readonly page: number;
      /** The text of the comment that was sent. */
      readonly text: string;
      readonly sent: Sent;
      readonly query: URLSearchParams;
      /** What stands in the path in their place. */
      readonly first: string;
      readonly second: string;
    }) => Answer
  >
>;

const ok = (body: unknown): Answer => ({ status: 200, body });
const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found" } };
const FORBIDDEN: Answer = {
  status: 403,
  body: { message: "Resource not accessible" },
};
const TOO_LONG: Answer = { status: 422, body: { message: "body is too long" } };

/** The most characters that GitHub accepts in a comment. */
const LONGEST = 65_536;

/**
 * Serves on loopback the calls of GitHub and GitLab that `devid ci` makes: comments page by
 * page, issues, requests, runs, and what runs kept, those of forks included.
 */
export class FakeCodeHost {
  readonly comments: Comment[] = [];
  readonly issues: Issue[] = [];
  /** The requests whose review was started by a call. */
  readonly reviewedAgain: string[] = [];
  /** The requests whose branch is in another repository. */
  readonly forks = new Set<string>();
  /** The requests whose discussion is locked. */
  readonly locked = new Set<string>();
  /** The newest commit of each request, by its number. */
  readonly heads = new Map<string, string>();
  readonly runs: Run[] = [];
  readonly artifacts: Artifact[] = [];
  /** The number of the request that brought a commit to the main branch. */
  readonly cameWith = new Map<string, string>();
  /** Requests as `METHOD /path`. */
  readonly requests: string[] = [];

  readonly #server = createServer();
  /** Where GitHub keeps archives. */
  readonly #storage = createServer();

  /** @param authors the authors, by the tokens that the host recognises them by */
  constructor(private readonly authors: Readonly<Record<string, Author>>) {}

  async open(): Promise<this> {
    const send = (
      response: ServerResponse,
      { status, body, location }: Answer,
    ) => {
      response.writeHead(status, {
        "content-type": "application/json",
        ...(location !== undefined && { location }),
      });
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    };
    this.#server.on("request", (request: IncomingMessage, response) => {
      void this.#answer(request).then((answer) => send(response, answer));
    });
    this.#storage.on("request", (request: IncomingMessage, response) =>
      send(response, this.#stored(request)),
    );
    for (const one of [this.#server, this.#storage]) await listen(one);
    return this;
  }

  get url(): string {
    return addressOf(this.#server);
  }

  /** The comments on a request or a commit. */
  on(place: string): Comment[] {
    return this.comments.filter(({ on }) => on === place);
  }

  /** The text of the only review on a request. */
  review(request = "7"): string {
    const [own, ...others] = this.on(request).filter(({ body }) =>
      body.startsWith("<!-- devid-review"),
    );
    if (!own || others.length > 0) throw new Error("There is no only review.");
    return own.body;
  }

  /** Forgets everything. */
  clear(): void {
    for (const list of [
      this.comments,
      this.issues,
      this.reviewedAgain,
      this.runs,
      this.artifacts,
      this.requests,
    ])
      list.length = 0;
    for (const known of [this.heads, this.cameWith, this.forks, this.locked])
      known.clear();
  }

  add(on: string, author: Author, body: string): Comment {
    const comment = { id: this.comments.length + 1, on, author, body };
    this.comments.push(comment);
    return comment;
  }

  /** Keeps the plan of a run, as the step behind a review does: on GitHub in an archive. */
  keep(
    run: Run,
    plan: Uint8Array,
    { isGitLab, name }: { readonly isGitLab: boolean; readonly name: string },
  ): void {
    const content = Buffer.from(plan);
    this.runs.push(run);
    this.artifacts.push({
      ...{ id: this.artifacts.length + 1, run: run.id, name },
      bytes: isGitLab ? content : zipArchive({ name: PLAN_FILE, content }),
    });
  }

  async close(): Promise<void> {
    for (const one of [this.#server, this.#storage]) {
      one.closeAllConnections();
      one.close();
      await once(one, "close");
    }
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const sent = (text === "" ? {} : JSON.parse(text)) as Sent;
    const { body = "", note } = sent;
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "", this.url);
    const path = decodeURIComponent(url.pathname);
    this.requests.push(`${method} ${path}`);
    const gitlabToken = headers["private-token"];
    const githubToken = headers.authorization?.replace(/^Bearer /, "");
    const author = this.authors[String(gitlabToken ?? githubToken)];
    if (!author) return { status: 401, body: { message: "Bad credentials" } };
    if (method !== "GET" && author.mayWrite === false) return FORBIDDEN;
    const page = Number(url.searchParams.get("page") ?? 1);
    const [repository, routes] =
      gitlabToken === undefined
        ? ["/repos/shop/rules", this.#github]
        : ["/projects/1", this.#gitlab];
    for (const [route, answer] of Object.entries(routes)) {
      const below = route.replace(/ (?!\/user)/, ` ${repository}`);
      const pattern = below.replace("/**", "/(.+)").replaceAll("/*", "/(\\w+)");
      const [matched, first = "", second = ""] =
        new RegExp(`^${pattern}$`).exec(`${method} ${path}`) ?? [];
      if (matched !== undefined)
        return answer({
          ...{ author, page, sent, query: url.searchParams },
          ...{ text: note ?? body, first, second },
        });
    }
    return NOT_FOUND;
  }

  readonly #github: Routes = {
    "GET /user": ({ author: { isApp, login } }) =>
      isApp ? FORBIDDEN : ok({ login }),
    "GET /pulls": ({ page }) =>
      ok(this.#open(page).map((number) => ({ number }))),
    "GET /pulls/*": ({ first }) => {
      const full_name = this.forks.has(first) ? "fork/rules" : "shop/rules";
      const sha = this.heads.get(first);
      return ok({ head: { sha, repo: { full_name } } });
    },
    "GET /(?:issues|commits)/*/comments": ({ first, page }) =>
      ok(
        this.#page(first, page).map(({ id, body, author }) => ({
          ...{ id, body, user: { login: author.login } },
        })),
      ),
    "GET /actions/runs/*": ({ first }) => this.#githubRun(Number(first)),
    "GET /actions/runs/*/artifacts": ({ first, query }) => {
      const found = this.artifacts.filter(
        ({ run, name }) => run === Number(first) && name === query.get("name"),
      );
      return ok({
        artifacts: found.map(({ id, name, run }) => ({
          ...{ id, name, expired: false, workflow_run: { id: run } },
        })),
      });
    },
    // GitHub keeps archives at another host.
    "GET /actions/artifacts/*/zip": ({ first }) => ({
      status: 302,
      body: {},
      location: `${addressOf(this.#storage)}/${first}`,
    }),
    "POST /(?:issues|commits)/*/comments": ({ first, author, text }) =>
      this.#made(first, author, text),
    "PATCH /issues/comments/*": ({ first, text }) => this.#edited(first, text),
    "POST /actions/workflows/rules-review[.]yml/dispatches": ({ sent }) =>
      this.#startReview(sent.inputs?.pull_request ?? ""),
    "GET /issues": ({ page }) =>
      ok(
        this.#openIssues(page).map(({ id, body, author }) => ({
          ...{ number: id, body: body || null },
          user: { login: author.login },
        })),
      ),
    "POST /issues": ({ author, sent, text }) =>
      this.#opened(author, sent.title ?? "", text),
    "PATCH /issues/*": ({ first, sent }) =>
      this.#changed(first, sent.body, sent.state === "closed"),
  };

  readonly #gitlab: Routes = {
    "GET /user": ({ author }) => ok(onGitLab(author)),
    "GET /merge_requests": ({ page }) =>
      ok(this.#open(page).map((iid) => ({ iid }))),
    "GET /merge_requests/*": ({ first }) => ok(this.#mergeRequest(first)),
    "GET /repository/commits/*/merge_requests": ({ first }) => {
      const iid = this.cameWith.get(first);
      // A merge request of somebody else has the commit, too.
      const others = { ...this.#mergeRequest("99"), state: "opened" };
      return ok([others, ...(iid ? [this.#mergeRequest(iid)] : [])]);
    },
    "GET /repository/commits/*/comments": ({ first, page }) =>
      ok(
        this.#page(first, page).map(({ body, author }) => ({
          ...{ note: body, author: onGitLab(author) },
        })),
      ),
    "GET /jobs/*": ({ first }) => this.#gitlabJob(Number(first)),
    "GET /jobs/*/artifacts/**": ({ first, second }) => {
      const found = this.artifacts.find(
        ({ run, name }) => run === Number(first) && name === second,
      );
      return found ? ok(found.bytes) : NOT_FOUND;
    },
    "GET /merge_requests/*/notes": ({ first, page }) =>
      ok(
        this.#page(first, page).map(({ id, body, author }) => ({
          ...{ id, body, author: onGitLab(author) },
        })),
      ),
    "POST /merge_requests/*/notes": ({ first, author, text }) =>
      this.#made(first, author, text),
    "POST /repository/commits/*/comments": ({ first, author, text }) =>
      this.#made(first, author, text),
    "PUT /merge_requests/[0-9]+/notes/*": ({ first, text }) =>
      this.#edited(first, text),
    "POST /merge_requests/*/pipelines": ({ first }) => this.#startReview(first),
    "GET /issues": ({ page }) =>
      ok(
        this.#openIssues(page).map(({ id, body, author }) => ({
          ...{ iid: id, description: body || null },
          author: onGitLab(author),
        })),
      ),
    "POST /issues": ({ author, sent: { title = "", description = "" } }) =>
      this.#opened(author, title, description),
    "PUT /issues/*": ({ first, sent: { description, state_event: event } }) =>
      this.#changed(first, description, event === "close"),
    "POST /issues/*/notes": ({ first, author, text }) =>
      this.#made(first, author, text),
  };

  /** What a host of archives answers. It must not be given the token. */
  #stored({ url = "", headers }: IncomingMessage): Answer {
    if (headers.authorization !== undefined)
      return { status: 400, body: { message: "It was given a token." } };
    const id = Number(url.slice(1));
    const found = this.artifacts.find((one) => one.id === id);
    return found ? ok(found.bytes) : NOT_FOUND;
  }

  #githubRun(id: number): Answer {
    const run = this.runs.find((one) => one.id === id);
    if (!run) return NOT_FOUND;
    const { workflow = "rules-review.yml", from = "shop/rules" } = run;
    return ok({
      id,
      path: `.github/workflows/${workflow}`,
      event: run.event ?? "pull_request",
      ...{ head_sha: run.commit, head_branch: run.branch ?? "change" },
      repository: { full_name: "shop/rules" },
      head_repository: { full_name: from },
    });
  }

  #gitlabJob(id: number): Answer {
    const run = this.runs.find((one) => one.id === id);
    if (!run) return NOT_FOUND;
    return ok({
      ...{ id, name: run.job, status: run.status ?? "success" },
      pipeline: {
        ...{ id: run.pipeline ?? 1, project_id: run.project ?? 1 },
        ...{ ref: run.ref, sha: run.commit },
      },
    });
  }

  #mergeRequest(request: string) {
    const commit = [...this.cameWith].find(([, iid]) => iid === request)?.[0];
    return {
      iid: Number(request),
      sha: this.heads.get(request) ?? "",
      source_project_id: this.forks.has(request) ? 2 : 1,
      state: commit === undefined ? "opened" : "merged",
      target_branch: "main",
      merge_commit_sha: commit ?? null,
      squash_commit_sha: null,
    };
  }

  /** The numbers of the requests that were not merged. */
  #open(page: number): number[] {
    const merged = new Set(this.cameWith.values());
    return [...this.heads.keys()]
      .filter((request) => !merged.has(request))
      .slice(...ofPage(page))
      .map(Number);
  }

  #startReview(request: string): Answer {
    this.reviewedAgain.push(request);
    return { status: 201, body: { id: 1 } };
  }

  #openIssues(page: number): Issue[] {
    return this.issues.filter(({ isOpen }) => isOpen).slice(...ofPage(page));
  }

  #opened(author: Author, title: string, body: string): Answer {
    if (body.length > LONGEST) return TOO_LONG;
    const id = this.issues.length + 1;
    this.issues.push({ id, author, title, body, isOpen: true });
    return { status: 201, body: { id } };
  }

  #changed(id: string, body: string | undefined, isClosed: boolean): Answer {
    const issue = this.issues.find((each) => each.id === Number(id));
    if (!issue) return NOT_FOUND;
    if (body !== undefined) issue.body = body;
    if (isClosed) issue.isOpen = false;
    return ok({ id: issue.id });
  }

  #page(on: string, page: number): Comment[] {
    return this.on(on).slice(...ofPage(page));
  }

  #made(on: string, author: Author, body: string): Answer {
    if (this.locked.has(on)) return FORBIDDEN;
    if (body.length > LONGEST) return TOO_LONG;
    return { status: 201, body: { id: this.add(on, author, body).id } };
  }

  #edited(id: string, body: string): Answer {
    const comment = this.comments.find((each) => each.id === Number(id));
    if (!comment) return NOT_FOUND;
    if (body.length > LONGEST) return TOO_LONG;
    comment.body = body;
    return ok({ id: comment.id });
  }
}

const onGitLab = ({ id, login }: Author) => ({ id, username: login });

const addressOf = (server: ReturnType<typeof createServer>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The first entry of a page, and the one behind its last. */
const ofPage = (page: number) => [(page - 1) * 100, page * 100] as const;
