import { Answer } from "./answer.js";
import { assertDocumented } from "./documented.js";

/** What a test may change about a call. */
export interface CallOptions {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly text?: string;
  /** Added to the usual ones; undefined takes one away. */
  readonly headers?: Record<string, string | undefined>;
  /** A fault answers, so the OpenAPI document does not tell how. */
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
