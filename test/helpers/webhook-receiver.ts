import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { listen } from "./listen";

/** A request that the receiver got. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The answer of a receiver. If undefined, the receiver leaves the connection open. */
export interface Reply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/**
 * Receives the requests of a webhook, keeps them, and answers as the test says.
 */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Responses that have not been sent. */
  readonly open: ServerResponse[] = [];
  reply: Reply | undefined = { status: 200 };

  /** The URL on which the receiver listens, or listened before it was closed. */
  readonly url: string;

  private constructor(
    private readonly server: Server,
    port: number,
  ) {
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
    const server = createServer();
    return new WebhookReceiver(server, await listen(server));
  }

  /** A receiver of one test, closed after it. */
  static async forTest(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    onTestFinished(() => receiver.close());
    return receiver;
  }

  /** Waits for a number of requests, and returns them. */
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
