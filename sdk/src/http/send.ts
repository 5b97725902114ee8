import { anySignal, unlessAborted } from "./abortable";
import { connectionsFor, TOO_LONG_ANSWER } from "./connections";
import { decompress } from "./decompress";
import { kindOf } from "../kind-of";
import { ConfigurationError } from "./errors";
import {
  LONGEST_ANSWER,
  timeoutsOf,
  timerMs,
  type Some,
  type Timeouts,
} from "./timeouts";
import { USER_AGENT } from "./user-agent";

/** One HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. Cookies are left out, because a cookie may be a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The part of `fetch` that a client needs. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** How a request is sent. */
export interface Sending {
  readonly timeouts?: Some<Timeouts> | undefined;
  readonly fetch?: Fetch;
  /**
   * Longest time without any byte of the answer, in milliseconds, if shorter than
   * `timeouts` allow.
   */
  readonly silenceMs?: number;
  /**
   * Called when the request begins to be written to a connection. With the caller's own
   * `fetch` this moment is unknown, and `onSent` is called at once.
   */
  readonly onSent: () => void;
}

/**
 * Sends one request, by undici or by the `fetch` of the caller, and reads its answer.
 * Redirects are not followed, because a redirect would carry the key to another
 * address.
 * @throws what the HTTP library throws; see `failure.ts`
 */
export async function send(request: HttpRequest, by: Sending): Promise<Answer> {
  const { method, url } = request;
  const { fetch, onSent, silenceMs = Infinity } = by;
  const timeouts = timeoutsOf(by.timeouts);
  const body =
    request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    accept: "application/json",
    "user-agent": USER_AGENT,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...request.headers,
  };
  const deadline = AbortSignal.timeout(timeouts.attemptTimeoutMs);
  const signal = anySignal(request.signal, deadline);
  if (fetch) {
    const silence = silenceSignal(silenceMs);
    const ends = anySignal(signal, silence.signal);
    const init = {
      ...{ method, headers, body },
      redirect: "manual",
      signal: ends,
    } as const;
    const fetched = async () => {
      const response: unknown = await fetch(url, init);
      silence.end();
      return answerIn(response);
    };
    onSent();
    // A caller's `fetch`, or the body of its answer, may ignore the signal.
    return unlessAborted(fetched(), ends).finally(silence.end);
  }
  const connections = await connectionsFor(url, timeouts, onSent);
  const requested = connections.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { "accept-encoding": "gzip, deflate, br", ...headers },
    body,
    signal,
    headersTimeout: Math.min(timeouts.headersTimeoutMs, silenceMs),
    bodyTimeout: Math.min(timeouts.bodyTimeoutMs, silenceMs),
  });
  // undici's pool ignores the signal until there is a connection.
  const response = await unlessAborted(requested, signal);
  const encoding = String(response.headers["content-encoding"] ?? "");
  return {
    status: response.statusCode,
    headers: withoutCookies(response.headers),
    text: encoding
      ? await decompressedText(await response.body.bytes(), encoding)
      : await response.body.text(),
  };
}

/** @throws ConfigurationError for what is no Response */
async function answerIn(response: unknown): Promise<Answer> {
  if (!isResponse(response))
    throw new ConfigurationError(
      `The option fetch of createClient cannot be used: it must answer with a Response, as the global fetch does, but its answer is ${kindOf(response)}.`,
    );
  return {
    status: response.status,
    headers: withoutCookies(Object.fromEntries(response.headers)),
    text: await boundedText(response),
  };
}

/** Whether a `fetch` answered with what `send` reads, also if another library made it. */
function isResponse(answer: unknown): answer is Response {
  if (typeof answer !== "object" || answer === null) return false;
  const { status, headers, body } = answer as Partial<Response>;
  return (
    typeof status === "number" &&
    typeof headers?.[Symbol.iterator] === "function" &&
    (!body || typeof body.getReader === "function")
  );
}

/** A signal that aborts after a time, unless `end` is called before. */
function silenceSignal(ms: number) {
  const silence = new AbortController();
  const timer = setTimeout(
    () =>
      silence.abort(
        new DOMException("The answer did not begin.", "TimeoutError"),
      ),
    timerMs(ms),
  );
  return { signal: silence.signal, end: () => clearTimeout(timer) };
}

async function decompressedText(
  bytes: Uint8Array,
  encoding: string,
): Promise<string> {
  if (bytes.byteLength === 0) return "";
  const decoded = await decompress(bytes, encoding, LONGEST_ANSWER);
  return new TextDecoder().decode(decoded);
}

function withoutCookies(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === "set-cookie"
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/**
 * Reads the body of an answer. Fails if the body is longer than any answer of the
 * service.
 */
async function boundedText({ body }: Response): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > LONGEST_ANSWER) {
      await reader.cancel();
      throw Object.assign(new Error("The answer is too long."), {
        code: TOO_LONG_ANSWER,
      });
    }
    text += decoder.decode(value, { stream: true });
  }
}
