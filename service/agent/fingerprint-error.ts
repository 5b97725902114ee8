/**
 * Codes of the failures that the agent itself detects (docs/contract.md, "Agent
 * errors"). The vendor's agent does not have `no_page`, `options_misconfigured` and
 * `package_only_option` (docs/assumptions.md, A180).
 */
export type AgentErrorCode =
  | "api_key_invalid"
  | "api_key_missing"
  | "bad_response_format"
  | "cache_misconfigured"
  | "client_timeout"
  | "csp_block"
  | "endpoints_misconfigured"
  | "handle_agent_data"
  | "invalid_endpoint"
  | "network_abort"
  | "network_connection"
  | "no_page"
  | "options_misconfigured"
  | "package_only_option"
  | "request_cannot_be_parsed"
  | "sandboxed_iframe"
  | "script_load_fail"
  | "server_error";

/**
 * Every error that the agent throws or rejects with. If the service refused the
 * request, `code` is the service's code, otherwise the agent's. `event_id` is null if
 * no event is known (docs/contract.md, "Agent errors").
 */
export class FingerprintError extends Error {
  override readonly name = "FingerprintError";
  readonly code: AgentErrorCode | (string & {});
  readonly event_id: string | null;

  constructor(
    code: AgentErrorCode | (string & {}),
    message: string,
    {
      event_id = null,
      cause,
    }: { event_id?: string | null; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.event_id = event_id;
  }
}

/** Whether a caught value is an error of the agent, even of a second copy of it in the same page. */
export function isFingerprintError(error: unknown): error is FingerprintError {
  return (
    error instanceof Error &&
    error.name === "FingerprintError" &&
    "code" in error
  );
}
