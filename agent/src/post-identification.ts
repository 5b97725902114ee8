import type { IdentificationAnswer } from "./wire";
import type { Addresses } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import { parseAnswer, parseErrorBody } from "./parse-answer";
import { watchPolicy } from "./watch-policy";

/** Failures that tell of the way to the service, or of one server, and not of the request. */
const ANOTHER_MAY_ANSWER: readonly string[] = [
  "bad_response_format",
  "csp_block",
  "failed",
  "network_connection",
  "server_error",
];

/** What a request carries, to whichever address. */
export interface Posting {
  readonly body: string;
  /** Keeps the `Referer` header from telling what is hashed in the body. */
  readonly hidesAddress: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to the addresses in turn, until the service answers, be it
 * with a refusal. Throws FingerprintError, the last address's where all failed.
 */
export async function postIdentification(
  [address, ...others]: Addresses,
  posting: Posting,
): Promise<IdentificationAnswer> {
  try {
    return await postTo(address, posting);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !mayGoOn(error)) throw error;
    return postIdentification([next, ...rest], posting);
  }
}

function mayGoOn(error: unknown): boolean {
  return (
    error instanceof FingerprintError && ANOTHER_MAY_ANSWER.includes(error.code)
  );
}

async function postTo(
  address: string,
  posting: Posting,
): Promise<IdentificationAnswer> {
  const policy = watchPolicy(address);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: posting.body,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: posting.hidesAddress ? "strict-origin" : "",
      signal: posting.signal,
    });
    return answerOf(address, response.status, await response.text());
  } catch (error) {
    if (error instanceof FingerprintError) throw error;
    const isBlocked = !posting.signal.aborted && (await policy.hasBlocked());
    throw failureOf(address, error, posting, isBlocked);
  } finally {
    policy.end();
  }
}

function answerOf(
  address: string,
  status: number,
  text: string,
): IdentificationAnswer {
  const body = jsonOf(text);
  const answer = status === 200 ? parseAnswer(body) : undefined;
  if (answer) return answer;
  const refusal = parseErrorBody(body);
  if (refusal) {
    const { error, event_id } = refusal;
    throw new FingerprintError(
      error.code,
      `${failed(address)}: ${status} ${error.code}: ${error.message}`,
      { event_id },
    );
  }
  throw new FingerprintError(
    status >= 500 ? "server_error" : "bad_response_format",
    `${failed(address)}: the answer, with status ${status}, is none of the service. Is this the address of its endpoint?`,
  );
}

function failureOf(
  address: string,
  cause: unknown,
  { signal, timeoutMs }: Posting,
  isBlocked: boolean,
): FingerprintError {
  if (signal.aborted)
    return new FingerprintError(
      "client_timeout",
      `${failed(address)}: no answer within ${timeoutMs} ms.`,
      { cause },
    );
  if (isBlocked)
    return new FingerprintError(
      "csp_block",
      `${failed(address)}: the Content-Security-Policy of the page forbids it. Add the endpoint to connect-src.`,
      { cause },
    );
  if (cause instanceof DOMException && cause.name === "AbortError")
    return new FingerprintError(
      "network_abort",
      `${failed(address)}: the browser broke off the request.`,
      { cause },
    );
  return new FingerprintError(
    "network_connection",
    `${failed(address)}: no connection, or the answer may not be read by this page.`,
    { cause },
  );
}

function failed(address: string): string {
  return `Identifying this page at ${address} failed`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
