import type { Outcome } from "./retry";

const CONNECT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const SENT = new Set([
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

/** A proxy that does not open a tunnel: undici has no code of its own for it. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)/;

/** The code of a transport failure, its cause's where it has none itself. */
export function failureCode(error: unknown): string {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof AggregateError && e.errors[0] instanceof Error)
      return failureCode(e.errors[0]);
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return error instanceof Error ? error.name : "unknown failure";
}

/**
 * Takes out what a failure has read, of an answer or of a proxy's address: it
 * may hold a new token or a password, and failures get printed.
 */
export function forgetContent(failure: unknown): void {
  for (let e = failure; e instanceof Error; e = e.cause) {
    if ("data" in e) delete e.data;
    if ("input" in e) delete e.input;
  }
}

/** Reads a thrown transport failure as an outcome for `decide`. */
export function failureOutcome(error: unknown): Outcome {
  const code = failureCode(error);
  const refused = PROXY_REFUSAL.exec(
    error instanceof Error ? error.message : "",
  );
  if (refused)
    return {
      kind: "failure",
      phase: "connect",
      transient: Number(refused[1]) >= 500,
    };
  if (CONNECT.has(code))
    // A name that does not exist will not exist a second later either.
    return {
      kind: "failure",
      phase: "connect",
      transient: code !== "ENOTFOUND",
    };
  if (SENT.has(code) || /^(HPE|Z)_/.test(code))
    return { kind: "failure", phase: "sent", transient: true };
  if (
    /CERT|SSL|TLS|LEAF_SIGNATURE/.test(code) ||
    code === "UND_ERR_INVALID_ARG"
  )
    return { kind: "failure", phase: "connect", transient: false };
  return { kind: "failure", phase: "sent", transient: false };
}
