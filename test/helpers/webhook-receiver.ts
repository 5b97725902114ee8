import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { vi } from "vitest";

/** What a webhook was sent. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** How a receiver answers; undefined: it leaves the connection open. */
export interface Reply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** A webhook's other end: keeps what it gets, and answers as it is told. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Answers that were left open. */
  readonly open: ServerResponse[] = [];
  reply: Reply | undefined = { status: 200 };

  /** Where it listens, or did. */
  readonly url: string;

  private constructor(private readonly server: Server) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/hook`;
    server.on("request", (request, response) => {
      void buffer(request).then((body) => {
        const { method = "", url: path = "", headers } = request;
        this.received.push({ method, path, headers, body });
        const { reply } = this;
        if (!reply) this.open.push(response);
        else response.writeHead(reply.status, reply.headers).end(reply.body);
      });
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WebhookReceiver(server);
  }

  /** Waits for a number of requests, and answers them. */
  async get(count: number): Promise<readonly Received[]> {
    await vi.waitFor(() => {
      if (this.received.length < count)
        throw new Error(`${this.received.length} of ${count} requests came.`);
    }, 10_000);
    return this.received;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
