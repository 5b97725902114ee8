import type { EventErrorCode } from "@devid/sdk/wire";
import { z } from "zod";
import type { ErrorCode } from "../http/answer-error";
import type { ErrorFormat } from "../http/error-format";

/** Codes of the service that the events API spells in its own way. */
const CODES: Partial<Record<ErrorCode, EventErrorCode>> = {
  malformed_request: "request_cannot_be_parsed",
  internal_error: "failed",
  gateway_timeout: "failed",
};

/** `{error: {code, message}}` and nothing else (docs/contract.md, "Events errors"). */
export const EVENT_ERRORS: ErrorFormat = {
  schema: z.strictObject({
    error: z.strictObject({ code: z.string(), message: z.string() }),
  }),
  bodyOf: ({ code, message }) => ({
    error: { code: CODES[code] ?? code, message },
  }),
};
