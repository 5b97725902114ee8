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

/** Calls below a base address, with the usual headers. */
export function sender(base: string, usual: Record<string, string>): Send {
  return async (method, path, { body, text, headers, undocumented } = {}) => {
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
