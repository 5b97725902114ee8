import { z } from "zod";
import { type AnswerError, CodeAndMessage } from "../../http/answer-error";
import type { ErrorCode, ErrorFormat } from "../../http/answer-error";

/**
 * The codes of version 3 for those of version 4 (docs/contract.md, "Legacy operations";
 * docs/assumptions.md, A66).
 */
export const LEGACY_CODES: Partial<Record<ErrorCode, string>> = {
  secret_api_key_required: "TokenRequired",
  secret_api_key_not_found: "TokenNotFound",
  wrong_region: "WrongRegion",
  feature_not_enabled: "FeatureNotEnabled",
  workspace_key_required: "WorkspaceScopedSecretKeyRequired",
  event_not_found: "RequestNotFound",
  visitor_not_found: "VisitorNotFound",
  not_found: "RequestNotFound",
  state_not_ready: "StateNotReady",
  too_many_requests: "TooManyRequests",
  quota_used_up: "TooManyRequests",
  version_ended: "Failed",
};

/**
 * Clients of version 3 read from a refusal with 429 how many seconds to wait
 * (docs/assumptions.md, A66). At the default rate, a key may call again within
 * one.
 */
const headersOf = ({ code }: AnswerError): Record<string, string> =>
  code === "too_many_requests" ? { "retry-after": "1" } : {};

/** `{error: {code, message}}` with the codes of version 3 (docs/contract.md, "Legacy operations"). */
export const LEGACY_ERRORS: ErrorFormat = {
  schema: CodeAndMessage,
  bodyOf: ({ code, status, message }) => {
    const other = status < 500 ? "RequestCannotBeParsed" : "Failed";
    return { error: { code: LEGACY_CODES[code] ?? other, message } };
  },
  headersOf,
};

/** `{error: text}`, the form of errors of `GET /visitors`. */
export const VISITOR_ERRORS: ErrorFormat = {
  schema: z.object({ error: z.string() }),
  bodyOf: ({ message }) => ({ error: message }),
  headersOf,
};
