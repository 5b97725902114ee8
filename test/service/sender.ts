import { Answer } from "./answer.js";
import { assertDocumented } from "./documented.js";

/** The parts of a call that a test may change. */
export interface CallOptions {
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string;
  /** Added to the usual headers; undefined removes a header. */
  readonly headers?: Record<string, string | undefined>;
  /** A fault sends the answer, so the OpenAPI document does not describe it. */
  readonly undocumented?: boolean;
}

export type Send = (
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Answer>;

/** Where a sender sends to, and the usual headers. */
type Target = readonly [base: string, usual: Record<string, string>];

/** Calls below a base address. A function is asked for each call, when the service runs. */
export function sender(...target: Target | [() => Target]): Send {
  const [first] = target;
  return async (method, path, { body, text, headers, undocumented } = {}) => {
    const [base, usual] =
      typeof first === "function" ? first() : (target as Target);
    const content =
      text ?? (body === undefined ? undefined : JSON.stringify(body));
    const all = {
      ...usual,
      ...(content !== undefined && { "content-type": "application/json" }),
      ...headers,
    };
    const response = await fetch(`${base}${path}`, {
      method,
      headers: Object.entries(all).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
      ...(content !== undefined && { body: content }),
    });
    const answer = new Answer(
      response.status,
      response.headers,
      await response.text(),
    );
    if (!undocumented)
      await assertDocumented(new URL(`${base}${path}`), method, body, answer);
    return answer;
  };
}
