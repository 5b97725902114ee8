import { AnswerError, type Violation } from "../http/answer-error";

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
