import { FingerprintError } from "./fingerprint-error";
import { foregroundDeadline } from "./foreground-deadline";
import { parseAnswer, parseErrorBody, type IdentificationAnswer } from "./wire";

/**
 * Codes of failures after which the next address is tried: the connection or a server
 * failed (docs/assumptions.md, A182).
 */
const ANOTHER_MAY_ANSWER: readonly string[] = [
  "bad_response_format",
  "client_timeout",
  "csp_block",
  "failed",
  "network_connection",
  "server_error",
];

/** The parts of a request that are the same for every address. */
export interface Posting {
  readonly body: string;
  /**
   * Whether the `Referer` header is left out, because the body has only the hash of the
   * page's address.
   */
  readonly hidesAddress: boolean;
  /** For all addresses together. */
  readonly timeoutMs: number;
}

/**
 * Sends a request to the addresses in turn, until the service answers or refuses. Each
 * address gets an equal share of the remaining time, so that one hanging address does
 * not use it up (docs/assumptions.md, A182). Throws FingerprintError: the error of the
 * last address if all failed, `endpoints_misconfigured` if there is no address.
 */
export async function postIdentification(
  addresses: readonly string[],
  posting: Posting,
): Promise<IdentificationAnswer> {
  let failure = new FingerprintError(
    "endpoints_misconfigured",
    'get() has no address to send to: give start() the option endpoints, such as "http://127.0.0.1:8787/us" for a local service.',
  );
  const whole = foregroundDeadline(posting.timeoutMs);
  try {
    for (const [n, address] of addresses.entries()) {
      const toTry = addresses.length - n;
      const share = foregroundDeadline(whole.leftMs() / toTry);
      try {
        return await postTo(address, posting, share.signal);
      } catch (error) {
        if (!mayGoOn(error)) throw error;
        failure = error;
      } finally {
        share.release();
      }
    }
  } finally {
    whole.release();
  }
  throw failure;
}

function mayGoOn(error: unknown): error is FingerprintError {
  return (
    error instanceof FingerprintError && ANOTHER_MAY_ANSWER.includes(error.code)
  );
}

async function postTo(
  address: string,
  posting: Posting,
  signal: AbortSignal,
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
      signal,
    });
    return answerOf(address, response.status, await response.text());
  } catch (error) {
    if (error instanceof FingerprintError) throw error;
    const isBlocked = !signal.aborted && (await policy.hasBlocked());
    throw signal.aborted
      ? timeoutOf(address, error, posting)
      : failureOf(address, error, isBlocked);
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
    `${failed(address)}: the answer, with status ${status}, does not come from the service. Is this the address of its endpoint?`,
  );
}

function timeoutOf(
  address: string,
  cause: unknown,
  { timeoutMs }: Posting,
): FingerprintError {
  return new FingerprintError(
    "client_timeout",
    `${failed(address)}: no answer within ${timeoutMs} ms.`,
    { cause },
  );
}

function failureOf(
  address: string,
  cause: unknown,
  isBlocked: boolean,
): FingerprintError {
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

/** Watches whether the page's Content-Security-Policy blocks a request. */
function watchPolicy(address: string) {
  let isBlocked = false;
  const note = (event: SecurityPolicyViolationEvent) => {
    isBlocked ||=
      event.disposition === "enforce" &&
      event.effectiveDirective === "connect-src" &&
      event.blockedURI !== "" &&
      address.startsWith(event.blockedURI);
  };
  document.addEventListener("securitypolicyviolation", note);
  return {
    hasBlocked: async () => {
      // The browser sends the event in a later task than the failure of the request.
      await new Promise((resolve) => setTimeout(resolve));
      return isBlocked;
    },
    end: () => document.removeEventListener("securitypolicyviolation", note),
  };
}
