import { INVALID_PAGINATION_KEY } from "@devid/sdk/wire";
import { AnswerError, type Violation } from "../http/answer-error";
import { UNKNOWN } from "../http/violations";

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
