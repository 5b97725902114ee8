import { headerTextProblem } from "@devid/sdk";
import { z } from "zod";
import { parsedJson } from "../errors";

/** Milliseconds that a call may take. */
const TIMEOUT_MS = 60_000;

/** Bytes of an answer in JSON: a page of 100 comments, of 65,536 characters each. */
const MOST_JSON = 64 * 1024 * 1024;

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
    const bytes = await this.bytes(path, MOST_JSON);
    const answer = schema.safeParse(parsedJson(textOf(bytes)));
    if (answer.success) return answer.data;
    throw new CodeHostError(
      `GET ${this.api}${path} was answered with something else than the API of the host describes: ${z.prettifyError(answer.error).split("\n")[0]}`,
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
  async send(method: "POST" | "PATCH" | "PUT", path: string, content?: object) {
    const { status, body } = await this.#call(method, path, MOST_JSON, content);
    const isObject = z.object({}).safeParse(parsedJson(textOf(body))).success;
    if (status !== 204 && !isObject)
      throw new CodeHostError(
        `${method} ${this.api}${path} was answered with something else than the API of the host describes, so it is not known to have been done.`,
      );
  }

  /** The bytes of an answer, at most `most`. @throws CodeHostError */
  async bytes(path: string, most: number): Promise<Uint8Array> {
    return (await this.#call("GET", path, most)).body;
  }

  async #call(
    method: string,
    path: string,
    most: number,
    content?: object,
  ): Promise<{ readonly status: number; readonly body: Uint8Array }> {
    const call = `${method} ${this.api}${path}`;
    const { name, headers } = this.token;
    const token = this.token.value?.trim();
    if (!token)
      throw new CodeHostError(
        `${call} was not tried, for ${name} is not set. A pull request from a fork is given no secrets.`,
      );
    const problem = headerTextProblem(token);
    if (problem !== undefined)
      throw new CodeHostError(`${call} was not tried, for ${name} ${problem}`);
    const failed = (why: string, status?: number) =>
      new CodeHostError(`${call} ${why}`.replaceAll(token, "***"), status);
    let answer: Response;
    let body: Uint8Array | undefined;
    try {
      // A redirect to another host, as for artifacts, goes without the token.
      answer = await fetch(`${this.api}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers(token) },
        ...(content && { body: JSON.stringify(content) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      body = await bodyOf(answer, most);
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      throw failed(`was not answered: ${reason}`);
    }
    if (body === undefined)
      throw failed(`was answered with more than ${most} bytes.`);
    if (answer.ok) return { status: answer.status, body };
    throw failed(
      `was answered ${answer.status}: ${messageIn(body)}`,
      answer.status,
    );
  }
}

/** Reads a body; undefined if it has more than `most` bytes. */
async function bodyOf(
  { body }: Response,
  most: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The error message of an answer, in one line. */
function messageIn(body: Uint8Array): string {
  const text = textOf(body);
  const { message, error } = Object(parsedJson(text)) as Record<
    string,
    unknown
  >;
  return JSON.stringify(message ?? error ?? text.slice(0, 200));
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
