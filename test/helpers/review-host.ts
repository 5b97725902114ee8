import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A comment on the one pull request. */
export interface Comment {
  readonly id: number;
  body: string;
}

/**
 * The calls of GitHub and GitLab that examples/gitops makes, on loopback: the
 * comments of one pull request, a hundred a page, and the plan of a merged one.
 */
export class ReviewHost {
  readonly comments: Comment[] = [];
  /** What the job `review` kept. */
  plan = "";
  /** Requests as `METHOD /path`. */
  readonly requests: string[] = [];

  private constructor(
    readonly token: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async start(token: string): Promise<ReviewHost> {
    const server = createServer();
    const host = new ReviewHost(token, server);
    server.on("request", (request: IncomingMessage, response) => {
      void host.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(body);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body: string }> {
    let sent = "";
    for await (const chunk of request) sent += String(chunk);
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "", this.url);
    this.requests.push(`${method} ${decodeURIComponent(url.pathname)}`);
    const isAllowed =
      headers.authorization === `Bearer ${this.token}` ||
      headers["private-token"] === this.token;
    if (!isAllowed)
      return { status: 401, body: '{"message":"Bad credentials"}' };
    if (url.pathname.endsWith("/raw/plan.json"))
      return { status: 200, body: this.plan };
    if (url.pathname.endsWith("/merge_requests"))
      return { status: 200, body: '[{"iid":7}]' };
    const answer = this.#comment(method, url, sent);
    return answer
      ? { status: 200, body: JSON.stringify(answer) }
      : { status: 404, body: '{"message":"Not Found"}' };
  }

  #comment(method: string, url: URL, sent: string): unknown {
    const body = sent === "" ? "" : (JSON.parse(sent) as Comment).body;
    if (/\/(issues|merge_requests)\/7\/(comments|notes)$/.test(url.pathname)) {
      if (method === "POST") {
        const comment = { id: this.comments.length + 1, body };
        this.comments.push(comment);
        return comment;
      }
      const page = Number(url.searchParams.get("page"));
      return this.comments.slice((page - 1) * 100, page * 100);
    }
    const id = /\/(?:issues\/comments|notes)\/(\d+)$/.exec(url.pathname)?.[1];
    const comment = this.comments.find((each) => each.id === Number(id));
    if (!comment || !["PATCH", "PUT"].includes(method)) return undefined;
    comment.body = body;
    return comment;
  }
}
