import type { IncomingHttpHeaders } from "node:http";
import type { Agent } from "undici";
import type { AttemptEnd } from "../store/records/deliveries";
import { lookupPublic, refusePrivateHost } from "./private-network";

/** How long a webhook may take to answer (docs/contract.md, "Webhook delivery"). */
const TIMEOUT_MS = 3_000;

/** How much of an answer is kept, of its headers and of its body each. */
const KEPT_BYTES = 4_096;

/** Posts to webhooks, one attempt a call. Redirects are answers, and not followed. */
export class Poster {
  private agent: Agent | undefined;

  /** Sends a text and tells what came of it, after 3 s at the latest. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<AttemptEnd> {
    // Loaded on first use: most runs of the service never send anything.
    const { Agent, request } = await import("undici");
    this.agent ??= new Agent({
      connect: { timeout: TIMEOUT_MS, lookup: lookupPublic() },
      maxHeaderSize: 16 * KEPT_BYTES,
      // One connection a post: a kept one may be closed by the other side just
      // when it is used again, and that would count as a failure.
      pipelining: 0,
    });
    const began = performance.now();
    try {
      refusePrivateHost(new URL(url).hostname);
      const answer = await request(url, {
        dispatcher: this.agent,
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return {
        took_ms: since(began),
        status: answer.statusCode,
        answer_headers: JSON.stringify(firstHeaders(answer.headers)),
        answer_body: await firstText(answer.body),
        error: null,
      };
    } catch (error) {
      return {
        took_ms: since(began),
        status: null,
        answer_headers: null,
        answer_body: null,
        error: explain(error),
      };
    }
  }

  /** Lets go of the connections. */
  async close(): Promise<void> {
    await this.agent?.destroy();
  }
}

function since(beganMs: number): number {
  return Math.round((performance.now() - beganMs) * 10) / 10;
}

/** The headers that fit into what is kept. */
function firstHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  let room = KEPT_BYTES;
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => (room -= `${name}: ${String(value)}`.length) >= 0,
    ),
  );
}

/** The beginning of a body, or as much of it as came in time: the status has decided. */
async function firstText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= KEPT_BYTES) break;
    }
  } catch {
    // The time was up, or the other side hung up.
  }
  const bytes = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // SQLite ends texts at U+0000.
  return bytes.toString().replaceAll("\0", "\uFFFD");
}

function explain(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || code === "UND_ERR_CONNECT_TIMEOUT")
    return `No answer within ${TIMEOUT_MS / 1000} s.`;
  return message || code || name;
}
