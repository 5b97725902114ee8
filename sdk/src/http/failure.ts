import type { AttemptResult } from "./retry";

/** Codes of temporary failures: a second attempt may succeed. */
const PASSING = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "UND_ERR_CONNECT_TIMEOUT",
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "TimeoutError",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "HTTPParserError",
]);

/** Codes of failures that come only before there is a connection. */
const BEFORE_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** System calls that Node makes before it has a connection. */
const CONNECTING = new Set(["connect", "getaddrinfo"]);

/** Node has no code of its own for a connection that ends while TLS begins. */
const TLS_CUT_OFF = /before secure TLS connection was established/;

/** Codes of bad certificates. A certificate is checked before anything is sent. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE/;

/** The message of a proxy that opens no tunnel. undici has no code of its own for it. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)/;

/** The code of a transport failure. Without one, the code of its cause. */
export function failureCode(error: unknown): string {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof AggregateError && e.errors[0] instanceof Error)
      return failureCode(e.errors[0]);
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return error instanceof Error ? error.name : "unknown failure";
}

/**
 * Removes text of an answer or of a proxy's address from a failure, because it may
 * contain a new token or a password, and failures are printed.
 */
export function forgetContent(failure: unknown): void {
  for (let e = failure; e instanceof Error; e = e.cause) {
    if ("data" in e) delete e.data;
    if ("input" in e) delete e.input;
  }
}

/**
 * Whether a failure certainly came before there was a connection to the service, so
 * that nothing was sent.
 */
export function isBeforeConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(isBeforeConnection);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    (typeof code === "string" &&
      (BEFORE_CONNECTION.has(code) || CERTIFICATE.test(code))) ||
    (typeof syscall === "string" && CONNECTING.has(syscall)) ||
    PROXY_REFUSAL.test(error.message) ||
    TLS_CUT_OFF.test(error.message) ||
    isBeforeConnection(error.cause)
  );
}

/**
 * Reads a thrown transport failure as a result for `decide`.
 * @param isSent whether the request began to be written, or may have been
 */
export function failedAttempt(error: unknown, isSent: boolean): AttemptResult {
  const code = failureCode(error);
  const [, refusal] = PROXY_REFUSAL.exec(messageOf(error)) ?? [];
  return {
    kind: "failure",
    phase: isSent && !isBeforeConnection(error) ? "sent" : "connect",
    // A name that does not exist will not exist a second later either.
    transient:
      refusal === undefined
        ? PASSING.has(code) || /^(HPE|Z)_/.test(code)
        : Number(refusal) >= 500,
  };
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : "";
