import { parseUrl } from "@devid/sdk/errors";
import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connectionsFor,
  headerTextProblem,
  retryAfterMs,
  tlsAdvice,
  TOO_LONG_ANSWER,
  type ConnectionAnswer,
} from "@devid/sdk";
import { z } from "zod";
import { parsedJson } from "../errors";

/** Milliseconds that a call may take. */
const TIMEOUT_MS = 60_000;

/** Limits of its connection. */
const TIMEOUTS = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: TIMEOUT_MS,
  bodyTimeoutMs: TIMEOUT_MS,
};

/**
 * Longest pauses in milliseconds before a read or an edit is tried a second and a third
 * time, if the attempts so far took less than `TIMEOUT_MS`.
 */
const LONGEST_PAUSES_MS = [1_000, 4_000];

/** The status of an answer to too many calls. */
const TOO_MANY = 429;

/** What was written. A comment on a commit of GitLab has no ID. */
const Written = z.union([
  z.object({ id: z.number() }),
  z.object({ note: z.string() }),
]);

/** Redirects that a call follows. */
const MOST_REDIRECTS = 5;

/** A call of a host's API that failed; its message is one sentence, without the token. */
export class CodeHostError extends Error {
  override readonly name = "CodeHostError";

  constructor(
    message: string,
    /** Of the answer, if there was one. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Whether an edit was done. False if somebody has deleted the comment or the issue since it was listed. */
export const unlessGone = (edit: Promise<void>): Promise<boolean> =>
  edit.then(
    () => true,
    (error: unknown) => {
      if (
        error instanceof CodeHostError &&
        [404, 410].includes(error.status ?? 0)
      )
        return false;
      throw error;
    },
  );

/** Calls the API of a host with its token. */
export class HostCalls {
  constructor(
    private readonly api: string,
    private readonly token: {
      /** Name of its environment variable. */
      readonly name: string;
      readonly value: string | undefined;
      readonly headers: (token: string) => Record<string, string>;
    },
  ) {}

  /** @throws CodeHostError, also for an answer of another shape */
  async json<Answer>(schema: z.ZodType<Answer>, path: string): Promise<Answer> {
    const bytes = await this.bytes(path);
    const found = parsedJson(textOf(bytes));
    const answer = schema.safeParse(found);
    if (answer.success) return answer.data;
    const what =
      found === undefined
        ? `${messageIn(bytes) ?? "no text"}.`
        : z.prettifyError(answer.error).split("\n")[0];
    throw new CodeHostError(
      `GET ${this.api}${path} was answered with something else than the API of the host describes: ${what}`,
    );
  }

  /** A page of a list, of at most 100 entries. @throws CodeHostError */
  list<Entry>(
    entry: z.ZodType<Entry>,
    path: string,
    page = 1,
  ): Promise<Entry[]> {
    const before = path.includes("?") ? "&" : "?";
    return this.json(
      z.array(entry),
      `${path}${before}per_page=100&page=${page}`,
    );
  }

  /**
   * Makes or changes something. The host answers with the object, or with 204; a proxy in
   * front of it may answer with success, too.
   * @throws CodeHostError, also for an answer of another shape
   */
  async send(
    method: Exclude<Method, "GET">,
    path: string,
    content?: object,
  ): Promise<void> {
    const { status, body } = await this.#call(method, path, content);
    if (status !== 204 && !Written.safeParse(parsedJson(textOf(body))).success)
      throw new CodeHostError(
        `${method} ${this.api}${path} was answered with something else than the API of the host describes, so it is not known to have been done.`,
      );
  }

  /** The bytes of an answer, at most 64 MiB. @throws CodeHostError */
  async bytes(path: string): Promise<Uint8Array> {
    return (await this.#call("GET", path)).body;
  }

  /**
   * Makes a call. A read or an edit that found the host or its proxy out of order is tried
   * again; a POST only if a rate limit refused it, because otherwise it may have been done.
   */
  async #call(method: Method, path: string, content?: object): Promise<Answer> {
    const call = `${method} ${this.api}${path}`;
    const { name } = this.token;
    const token = this.token.value?.trim();
    if (!token)
      throw new CodeHostError(
        `${call} was not tried, for ${name} is not set. A pull request from a fork is given no secrets.`,
      );
    const problem = headerTextProblem(token);
    if (problem !== undefined)
      throw new CodeHostError(`${call} was not tried, for ${name} ${problem}`);
    const lastStart = performance.now() + TIMEOUT_MS;
    for (let attempt = 1; ; attempt++) {
      const tried = await this.#attempt(method, path, token, content);
      if ("body" in tried) return tried;
      const { failure, status, pauseMs, isUnsent } = tried;
      const isLimit = status === TOO_MANY;
      const isPassing = isLimit || status === undefined || status >= 500;
      const longest = LONGEST_PAUSES_MS[attempt - 1];
      const isAgain = isLimit || (isPassing && method !== "POST");
      if (isAgain && longest !== undefined && performance.now() < lastStart) {
        const pause = pauseMs || Math.random() * longest;
        if (pause <= TIMEOUT_MS) {
          await sleep(pause);
          continue;
        }
      }
      const sentences = [
        `${call} ${failure}`,
        attempt > 1 && `It was tried ${attempt} times.`,
        isLimit && "Run this job again later.",
        isPassing &&
          !isAgain &&
          !isUnsent &&
          "It is not known whether it was done.",
        (status === 401 || status === 403 || status === 404) &&
          `Check what ${name} may do in this repository.`,
      ].filter(Boolean);
      throw new CodeHostError(
        sentences.join(" ").replaceAll(token, "***"),
        status,
      );
    }
  }

  async #attempt(
    method: Method,
    path: string,
    token: string,
    content: object | undefined,
  ): Promise<Answer | Failure> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const first = new URL(`${this.api}${path}`);
    let isUnsent = true;
    const connectionsTo = (url: URL) =>
      connectionsFor(url, TIMEOUTS, () => (isUnsent = false));
    // A proxy with a wrong address is no missing answer.
    let connections = await connectionsTo(first);
    let status: number | undefined;
    try {
      for (let url = first, redirects = 0; ; redirects++) {
        const isThere = url.origin === first.origin;
        const answer = await connections.request({
          ...{ origin: url.origin, path: url.pathname + url.search },
          method,
          headers: {
            "content-type": "application/json",
            // GitHub refuses a call without a user agent.
            "user-agent": "devid",
            // Another host, as for artifacts, is not given the token.
            ...(isThere && this.token.headers(token)),
          },
          body: content && JSON.stringify(content),
          signal,
        });
        status = answer.statusCode;
        const to = targetOf(answer, url);
        if (to === undefined) {
          const body = await answer.body.bytes();
          return status < 300 ? { status, body } : refusalOf(answer, body);
        }
        await answer.body.dump();
        const isRepeated =
          method === "GET" ||
          ((status === 307 || status === 308) && to.origin === first.origin);
        if (!isRepeated || redirects === MOST_REDIRECTS)
          return {
            failure: `was answered ${status}: a redirect to ${to.origin}, which is not followed. Check the address of the host's API, and what stands between it and this job.`,
            status,
          };
        url = to;
        connections = await connectionsTo(url);
      }
    } catch (error) {
      // A host with several addresses has an error for each of them.
      const { errors = [error] } = error as { errors?: readonly unknown[] };
      const { message, code = "" } = errors[0] as NodeJS.ErrnoException;
      const advice = tlsAdvice(code);
      return code === TOO_LONG_ANSWER
        ? { failure: "was answered with more than 64 MiB.", status }
        : {
            failure: `was not answered: ${message.trim().replace(/\.$/, "")}.${advice ? ` ${advice}` : ""}`,
            isUnsent,
          };
    }
  }
}

type Method = "GET" | "POST" | "PATCH" | "PUT";

/** An answer of success. */
interface Answer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Why a call failed. */
interface Failure {
  /** `was not answered: ...` */
  readonly failure: string;
  /** Of the answer; `TOO_MANY` for every rate limit. */
  readonly status?: number;
  /** The pause that the header Retry-After asks for. */
  readonly pauseMs?: number | undefined;
  /** Whether it is certain that nothing was sent. */
  readonly isUnsent?: boolean;
}

/** Where an answer redirects to; undefined if it is no redirect, or leads nowhere. */
function targetOf(
  { statusCode: status, headers: { location } }: ConnectionAnswer,
  from: URL,
): URL | undefined {
  return status >= 300 && status < 400 && typeof location === "string"
    ? parseUrl(location, from)
    : undefined;
}

/** What an answer of another status than success says. GitHub answers too many calls with 403, too. */
const refusalOf = (
  { statusCode: status, headers }: ConnectionAnswer,
  body: Uint8Array,
): Failure => ({
  failure: `was answered ${status}: ${messageIn(body) ?? STATUS_CODES[status] ?? "no message"}.`,
  status:
    status === 403 && /rate limit/i.test(textOf(body)) ? TOO_MANY : status,
  pauseMs: retryAfterMs(headers),
});

/** The error message of an answer, in one line; undefined if it is empty. */
function messageIn(body: Uint8Array): string | undefined {
  const text = textOf(body).trim();
  const { message, error, errors } = Object(parsedJson(text)) as Record<
    string,
    unknown
  >;
  const said = message ?? error ?? text.slice(0, 200);
  if (said === "") return undefined;
  // GitHub says in `errors` which part of a 422 was refused.
  if (Array.isArray(errors))
    return `${JSON.stringify(said)} ${JSON.stringify(errors).slice(0, 300)}`;
  return text.startsWith("<")
    ? `a page, perhaps of a proxy: ${JSON.stringify(said)}`
    : JSON.stringify(said);
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
