import type { LegacyErrorCode } from "@devid/sdk/wire";
import { z } from "zod";
import type { AnswerError, ErrorCode } from "../http/answer-error";
import type { ErrorFormat } from "../http/error-format";

/** How version 3 spells the codes of version 4 (docs/assumptions.md, A66). */
const CODES: Partial<Record<ErrorCode, LegacyErrorCode>> = {
  secret_api_key_required: "TokenRequired",
  secret_api_key_not_found: "TokenNotFound",
  wrong_region: "WrongRegion",
  event_not_found: "RequestNotFound",
  visitor_not_found: "VisitorNotFound",
  not_found: "RequestNotFound",
  state_not_ready: "StateNotReady",
  too_many_requests: "TooManyRequests",
  version_ended: "Failed",
};

/** `{error: {code, message}}` with the codes of version 3 (docs/contract.md, "Legacy operations"). */
export const LEGACY_ERRORS: ErrorFormat = {
  schema: z.object({
    error: z.object({ code: z.string(), message: z.string() }),
  }),
  bodyOf: (error) => ({
    error: { code: codeOf(error), message: error.message },
  }),
};

/** `{error: text}`, which is how `GET /visitors` tells errors. */
export const VISITOR_ERRORS: ErrorFormat = {
  schema: z.object({ error: z.string() }),
  bodyOf: ({ message }) => ({ error: message }),
};

function codeOf({ code, status }: AnswerError): LegacyErrorCode {
  return CODES[code] ?? (status < 500 ? "RequestCannotBeParsed" : "Failed");
}
