import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@devid/sdk/wire";
import type { Agent, buildConnector } from "undici";
import { type AttemptEnd, noAnswer } from "../store/deliveries";
import {
  lookupPublic,
  UndeliverableError,
  refusePrivateHost,
  type Resolve,
} from "./private-network";

/** How long a webhook may take to answer (docs/contract.md, "Webhook delivery"). */
const TIMEOUT_MS = 3_000;

/**
 * How many bytes of an answer's headers, and how many of its body, are kept.
 */
const KEPT_BYTES = 4_096;

/**
 * Sends deliveries, one attempt a call. A redirect counts as an answer and is
 * not followed.
 */
export class Poster {
  /** Made for the first delivery, because loading undici takes a tenth of the start. */
  private agent: Promise<Agent> | undefined;

  /**
   * `ownPorts` returns the ports that the service listens on. Nothing is delivered there.
   * `resolve` finds the addresses of names; default: the system's resolver.
   */
  constructor(
    private readonly ownPorts: () => readonly number[],
    private readonly resolve?: Resolve,
  ) {}

  /** Sends a text to a url. Returns the end of the attempt, after 3 s at the latest. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<AttemptEnd> {
    this.agent ??= this.makeAgent();
    const began = performance.now();
    try {
      const { origin, hostname, pathname, search } = new URL(url);
      refusePrivateHost(hostname);
      const answer = await (
        await this.agent
      ).request({
        origin,
        path: pathname + search,
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
      return noAnswer(explain(error), since(began));
    }
  }

  private async makeAgent(): Promise<Agent> {
    const { Agent, buildConnector } = await import("undici");
    const connect = buildConnector({
      timeout: TIMEOUT_MS,
      lookup: lookupPublic(this.resolve),
    });
    return new Agent({
      connect: (options, callback) =>
        connect(options, (...result) => {
          const refused = this.refusalOf(result, options);
          callback(...(refused ?? result));
        }),
      maxHeaderSize: 16 * KEPT_BYTES,
      // Every delivery opens a new connection. The receiver could close an idle
      // connection at the moment when it is used again, and the delivery would fail.
      pipelining: 0,
    });
  }

  /**
   * Closes a new connection to the service itself before anything is sent, and returns
   * the error to report. Without this, a delivery could be a control call: a webhook
   * with the url `/_local/reset` of the service, which a web page could have created,
   * would erase all records.
   */
  private refusalOf(
    [error, socket]: Connection,
    { hostname }: Pick<buildConnector.Options, "hostname">,
  ): Connection | undefined {
    if (error !== null) return undefined;
    // Not the port of the url, which leaves out 80 and 443.
    const { remotePort, remoteAddress = "", localAddress } = socket;
    if (remotePort === undefined || !this.ownPorts().includes(remotePort))
      return undefined;
    // A connection to this machine has the same address at both ends.
    if (!isLoopback(remoteAddress) && remoteAddress !== localAddress)
      return undefined;
    socket.destroy();
    const refusal = new UndeliverableError(
      `${hostname}:${remotePort} is this service itself, to which nothing is delivered. Let the receiver listen on another port.`,
    );
    return [refusal, null];
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await (await this.agent)?.destroy();
  }
}

/** undici reports a connection with this callback: an error, or the socket. */
type Connection = Parameters<buildConnector.Callback>;

function since(beganMs: number): number {
  return Math.round((performance.now() - beganMs) * 10) / 10;
}

/** The first headers, as many as are kept. */
function firstHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  let room = KEPT_BYTES;
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => (room -= `${name}: ${String(value)}`.length) >= 0,
    ),
  );
}

/**
 * The beginning of a body, or the part that came in time. An answer also counts without
 * its body.
 */
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
    // The time was up, or the other side closed the connection.
  }
  const bytes = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // SQLite would end the text at U+0000.
  return bytes.toString().replaceAll("\0", "\uFFFD");
}

function explain(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || code === "UND_ERR_CONNECT_TIMEOUT")
    return `No answer within ${TIMEOUT_MS / 1000} s.`;
  return message || code || name;
}
