import { type EventErrorCode, INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import { z } from "zod";
import {
  AnswerError,
  type ErrorCode,
  type ErrorFormat,
  type Violation,
} from "../http/answer-error";
import { UNKNOWN } from "../http/violations";

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

/** Messages that are published for parameters (docs/contract.md, "Events errors"). */
const PUBLISHED = new Map([
  ["bot", "invalid bot type"],
  ["ip_address", "invalid ip address"],
  ["reverse", "invalid reverse param"],
  ["start", "invalid start time"],
  ["end", "invalid end time"],
  ["visitor_id", "invalid visitor id"],
  ["pagination_key", INVALID_PAGINATION_KEY],
]);

/** How the events API tells violations: with the published message, where there is one, and always with the name. */
export function refuseRequest(violations: readonly Violation[]): AnswerError {
  const list = violations.map(({ property, message }) => {
    // Of a repeated parameter each value has a place; in a query it has none.
    const name =
      message === UNKNOWN ? property : property.replace(/\[\d+\]$/, "");
    return `${PUBLISHED.get(name) ?? `invalid ${name}`}: ${name} ${message}`;
  });
  return new AnswerError("request_cannot_be_parsed", `${list.join("; ")}.`);
}

/** How the events API tells violations of a body: with its published message first. */
export function refuseBody(violations: readonly Violation[]): AnswerError {
  const list = violations.map(
    ({ property, message }) => `${property} ${message}`,
  );
  return new AnswerError(
    "request_cannot_be_parsed",
    `request body is not valid: ${list.join("; ")}`,
  );
}
