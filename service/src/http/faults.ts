import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { PAGE_HEADERS, SURFACES } from "./surface";

/** The name of a header, unless the header says how the bytes of an answer are sent. */
const HEADER_NAME =
  /^(?!(?:content-length|transfer-encoding|trailer)$)[\w!#$%&'*+.^`|~-]+$/i;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** What a fault does to a request. */
const FaultEffect = z.union(
  [
    z.enum(["reset", "hang"]),
    z.strictObject({
      status: z.int().min(200).max(599),
      body: z.unknown().optional(),
      headers: z
        .record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE))
        .optional(),
    }),
    z.strictObject({ delayMs: z.int().min(0).max(600_000) }),
    z.strictObject({ truncate: z.int().min(0) }),
  ],
  {
    error:
      'must be "reset", "hang", {status, body?, headers?}, {delayMs} or {truncate}',
  },
);

/**
 * A fault, as `POST /_local/faults` takes it. `match` chooses the requests that fail: a
 * missing member matches every request, and `*` in a path matches any characters. `times`
 * is the number of requests that fail; without it, requests fail until the fault is
 * removed. `then` is what happens. With `after`, the request is carried out first.
 */
export const Fault = z.strictObject({
  match: z.strictObject({
    surface: z.enum(SURFACES).optional(),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    path: z.string().regex(/^[/*]/, "must start with / or *").optional(),
  }),
  times: z.int().min(1).optional(),
  then: FaultEffect,
  after: z.boolean().optional(),
});

/** A fault. */
export type Fault = z.output<typeof Fault>;

/** What a fault does. */
export type FaultEffect = z.output<typeof FaultEffect>;

/**
 * The faults in force, oldest first. A request fails by the first fault that matches
 * it.
 */
export class Faults {
  /** What ends each connection and each delay that a fault keeps open. */
  private readonly held = new Set<() => void>();
  private standing: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.standing.push({ fault, left: fault.times ?? Infinity });
  }

  /**
   * Finds the fault that a request meets and counts it as used at once, so that
   * parallel requests never use it more than `times` times. A preflight meets
   * none: it belongs to the request that the browser sends after it.
   */
  take(request: {
    surface: string;
    method: string;
    path: string;
  }): Fault | undefined {
    if (request.method === "OPTIONS") return undefined;
    const found = this.standing.find(({ fault }) => meets(fault, request));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0)
      this.standing = this.standing.filter((entry) => entry !== found);
    return found.fault;
  }

  reset(): void {
    this.standing = [];
  }

  /**
   * Acts on a request, and returns the body to send instead of `payload`, the real answer.
   * A promise that never settles sends nothing.
   */
  async act(
    effect: FaultEffect,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    if (effect === "reset") request.raw.socket.resetAndDestroy();
    else if (effect === "hang") this.hold(request);
    else if ("status" in effect) {
      for (const name of Object.keys(reply.getHeaders()))
        if (!(name in PAGE_HEADERS)) reply.removeHeader(name);
      const { status, body = "", headers } = effect;
      // A text is sent unchanged, so that a test can send broken JSON.
      const isText = typeof body === "string";
      reply.code(status).headers({ ...(!isText && JSON_TYPE), ...headers });
      return isText ? body : JSON.stringify(body);
    } else if ("delayMs" in effect) {
      await this.delay(effect.delayMs);
      return payload;
    } else return cutOff(effect.truncate, request, reply, payload);
    return never();
  }

  /** Ends every connection that a fault keeps open, and every delay. */
  release(): void {
    for (const end of this.held) end();
    this.held.clear();
  }

  private delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.held.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.held.add(end);
    });
  }

  private hold({ raw: { socket } }: FastifyRequest): void {
    const end = () => socket.destroy();
    this.held.add(end);
    socket.once("close", () => this.held.delete(end));
  }
}

function meets(
  { match }: Fault,
  request: { surface: string; method: string; path: string },
): boolean {
  return (
    (match.surface ?? request.surface) === request.surface &&
    (match.method ?? request.method) === request.method &&
    (match.path === undefined || fitsPattern(match.path, request.path))
  );
}

/**
 * Whether a text fits a pattern in which `*` stands for any characters. Each part
 * between two `*` is looked for once, from left to right: a regular expression
 * would try all ways to divide the text among the `*`.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/**
 * Announces the length of the whole answer, sends only its first bytes and
 * closes the connection.
 */
function cutOff(
  bytes: number,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  if (typeof payload !== "string" || payload.length === 0) return payload;
  const whole = Buffer.from(payload);
  if (bytes >= whole.length) return payload;
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader("content-length", whole.length);
  raw.writeHead(reply.statusCode);
  raw.flushHeaders();
  raw.write(whole.subarray(0, bytes), () => request.raw.socket.destroySoon());
  return never();
}

function never(): Promise<never> {
  return new Promise(() => {});
}
