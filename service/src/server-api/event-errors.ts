import { type EventErrorCode, INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import { z } from "zod";
import {
  AnswerError,
  type ErrorCode,
  type ErrorFormat,
  type Violation,
} from "../http/answer-error";
import { UNKNOWN } from "../http/violations";

/**
 * Codes that the events API spells differently from the rest of the service.
 */
const CODES: Partial<Record<ErrorCode, EventErrorCode>> = {
  malformed_request: "request_cannot_be_parsed",
  internal_error: "failed",
  gateway_timeout: "failed",
  quota_used_up: "too_many_requests",
  // Version 4 has no code for it (docs/assumptions.md, A187).
  workspace_key_required: "feature_not_enabled",
};

/** `{error: {code, message}}` (docs/contract.md, "Events errors"). */
export const EVENT_ERRORS: ErrorFormat = {
  schema: z.strictObject({
    error: z.strictObject({ code: z.string(), message: z.string() }),
  }),
  bodyOf: ({ code, message }) => ({
    error: {
      code: CODES[code] ?? code,
      message:
        code === "internal_error"
          ? `internal server error: ${message}`
          : message,
    },
  }),
};

/**
 * The published messages about parameters (docs/contract.md, "Events errors").
 */
const PUBLISHED = new Map([
  ["bot", "invalid bot type"],
  ["ip_address", "invalid ip address"],
  ["reverse", "invalid reverse param"],
  ["start", "invalid start time"],
  ["end", "invalid end time"],
  ["visitor_id", "invalid visitor id"],
  ["pagination_key", INVALID_PAGINATION_KEY],
]);

/** A published message about a text that is too long, without the name of the member. */
const TOO_LONG = /^can't be greater than \d+ characters long$/;

/**
 * The error for violations of a query: the published message, if there is one,
 * then the name of the parameter and what is wrong.
 */
export function refuseRequest(violations: readonly Violation[]): AnswerError {
  const list = violations.map(({ property, message }) => {
    // A violation names one value of a repeated parameter by its index, which a
    // query does not show.
    const name =
      message === UNKNOWN ? property : property.replace(/\[\d+\]$/, "");
    const what = `${name} ${message}`;
    return TOO_LONG.test(message)
      ? what
      : `${PUBLISHED.get(name) ?? `invalid ${name}`}: ${what}`;
  });
  return new AnswerError("request_cannot_be_parsed", list.join("; "));
}

/**
 * The error for violations of a body, beginning with the published message. A
 * text that is too long has a published message of its own
 * (docs/assumptions.md, A113).
 */
export function refuseBody(violations: readonly Violation[]): AnswerError {
  const list = violations.map(
    ({ property, message }) => `${property} ${message}`,
  );
  const isTooLong = violations.every(({ message }) => TOO_LONG.test(message));
  return new AnswerError(
    "request_cannot_be_parsed",
    `${isTooLong ? "" : "request body is not valid: "}${list.join("; ")}`,
  );
}
