import type { AttemptResult } from "./retry";
import { CERTIFICATE } from "./tls-advice";

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
  "Z_DATA_ERROR",
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

/** The message of a proxy that opens no tunnel. undici has no code of its own for it. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)/;

/** Codes of calls that undici refuses because of their arguments. */
const WRONG_CALL = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_INVALID_RETURN_VALUE",
  "UND_ERR_NOT_SUPPORTED",
  "MODULE_NOT_FOUND",
]);

/**
 * Codes of Node that begin with `ERR_` are about wrong calls, except those about TLS,
 * streams, sockets and the length of an answer.
 */
const OF_NODE_API = /^ERR_(?!TLS|SSL|OSSL|STREAM|SOCKET|HTTP|BUFFER_TOO_LARGE)/;

/** Errors of JavaScript about a program. `fetch` fails with a TypeError for a network, too. */
const OF_PROGRAM = new Set([
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "URIError",
]);

/**
 * What `fetch` says of a network, where its error has no code: in Node, Chromium, Safari,
 * Firefox, Cloudflare Workers and Deno, and in libraries that replace it.
 */
const OF_FETCH =
  /^(fetch failed|terminated|network error|Failed to fetch|Load failed|NetworkError when|Network request failed|Network connection lost|error sending request|The (Internet|network) connection)/i;

/**
 * Whether an error is of Error or of the same class of another realm: in Jest and in other
 * contexts of `node:vm`, the errors of Node's modules are no `instanceof Error`.
 */
function isError(thrown: unknown): thrown is Error & {
  readonly errors?: unknown;
} {
  return (
    thrown instanceof Error ||
    (typeof thrown === "object" &&
      thrown !== null &&
      "message" in thrown &&
      "stack" in thrown)
  );
}

/** The errors of all addresses that were tried; undefined for any other error. */
const triedIn = (error: { readonly errors?: unknown }) =>
  Array.isArray(error.errors) ? (error.errors as unknown[]) : undefined;

/**
 * The code of a transport failure, or of its cause. For a proxy that opens no tunnel, its
 * answer: the code is the same for every answer.
 */
export function failureCode(error: unknown): string {
  for (let e = error; isError(e); e = e.cause) {
    const [, refusal] = PROXY_REFUSAL.exec(e.message) ?? [];
    if (refusal) return `the proxy answered ${refusal}`;
    const [first] = triedIn(e) ?? [];
    if (isError(first)) return failureCode(first);
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return isError(error) ? error.name : "unknown failure";
}

/**
 * Whether an error came from the network or the service, and not from the program or its
 * settings: a module that cannot be loaded, a header that cannot be sent, or a mistake in
 * the caller's own `fetch`.
 * @param isOwnFetch whether the caller's own `fetch` threw the error
 */
export function isTransportFailure(
  error: unknown,
  isOwnFetch: boolean,
): boolean {
  const code = failureCode(error);
  if (WRONG_CALL.has(code) || OF_NODE_API.test(code) || OF_PROGRAM.has(code))
    return false;
  // Every failure of undici has a code, or is one of these.
  return (
    (isOwnFetch && OF_FETCH.test(messageOf(error))) ||
    (isError(error) && code !== error.name) ||
    /^(Timeout|Abort|HTTPParser)Error$/.test(code)
  );
}

/**
 * Removes text of an answer or of a proxy's address from a failure, because it may
 * contain a new token or a password, and failures are printed.
 */
export function forgetContent(failure: unknown): void {
  for (let e = failure; isError(e); e = e.cause) {
    if ("data" in e) delete e.data;
    if ("input" in e) delete e.input;
  }
}

/**
 * Whether a failure certainly came before there was a connection to the service, so
 * that nothing was sent.
 */
export function isBeforeConnection(error: unknown): boolean {
  if (!isError(error)) return false;
  const tried = triedIn(error);
  if (tried) return tried.length > 0 && tried.every(isBeforeConnection);
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
export function failedAttempt(
  error: unknown,
  isSent: boolean,
): Extract<AttemptResult, { kind: "failure" }> {
  const code = failureCode(error);
  const [, refusal] = PROXY_REFUSAL.exec(messageOf(error)) ?? [];
  return {
    kind: "failure",
    phase: isSent && !isBeforeConnection(error) ? "sent" : "connect",
    // A name that does not exist will not exist a second later either.
    transient:
      refusal === undefined
        ? PASSING.has(code) || /^HPE_/.test(code)
        : Number(refusal) >= 500,
  };
}

const messageOf = (error: unknown) => (isError(error) ? error.message : "");
