import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { vi } from "vitest";
import {
  plainServer,
  type PlainServer,
  type Received,
} from "../sdk/http/plain-server";
import { openForTest } from "./open-for-tests";

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
  /** Responses that have not been sent. */
  readonly open: ServerResponse[] = [];
  reply: Reply | undefined = { status: 200 };

  private constructor(private readonly server: PlainServer) {}

  static async start(): Promise<WebhookReceiver> {
    const receiver: WebhookReceiver = new WebhookReceiver(
      await plainServer((_, response) => receiver.#answer(response)),
    );
    return receiver;
  }

  /** A receiver of one test, closed after it. */
  static forTest(): Promise<WebhookReceiver> {
    return openForTest(WebhookReceiver.start());
  }

  /** The URL on which the receiver listens, or listened before it was closed. */
  get url(): string {
    return `${this.server.url}/hook`;
  }

  get received(): Received[] {
    return this.server.received;
  }

  /** Waits for a number of requests, and returns them. */
  async get(count: number): Promise<readonly Received[]> {
    await vi.waitFor(() => {
      if (this.received.length < count)
        throw new Error(`${this.received.length} of ${count} requests came.`);
    }, 10_000);
    return this.received;
  }

  #answer(response: ServerResponse): void {
    const { reply } = this;
    if (!reply) this.open.push(response);
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  close(): void {
    void this.server.close();
  }
}
