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
  { body, hidesAddress, timeoutMs }: Posting,
  signal: AbortSignal,
): Promise<IdentificationAnswer> {
  const failed = (code: string, why: string, known?: object) =>
    new FingerprintError(
      code,
      `Identifying this page at ${address} failed: ${why}`,
      known,
    );
  const policy = watchPolicy(address);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: hidesAddress ? "strict-origin" : "",
      signal,
    });
    const { status } = response;
    const given = jsonOf(await response.text());
    const answer = status === 200 ? parseAnswer(given) : undefined;
    if (answer) return answer;
    const refusal = parseErrorBody(given);
    if (!refusal)
      throw failed(
        status >= 500 ? "server_error" : "bad_response_format",
        `the answer, with status ${status}, does not come from the service. Is this the address of its endpoint?`,
      );
    const { error, event_id } = refusal;
    throw failed(error.code, `${status} ${error.code}: ${error.message}`, {
      event_id,
    });
  } catch (cause) {
    if (cause instanceof FingerprintError) throw cause;
    const because = { cause };
    if (signal.aborted)
      throw failed(
        "client_timeout",
        `no answer within ${timeoutMs} ms.`,
        because,
      );
    if (await policy.hasBlocked())
      throw failed(
        "csp_block",
        "the Content-Security-Policy of the page forbids it. Add the endpoint to connect-src.",
        because,
      );
    if (cause instanceof DOMException && cause.name === "AbortError")
      throw failed(
        "network_abort",
        "the browser broke off the request.",
        because,
      );
    throw failed(
      "network_connection",
      "no connection, or the answer may not be read by this page.",
      because,
    );
  } finally {
    policy.end();
  }
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
