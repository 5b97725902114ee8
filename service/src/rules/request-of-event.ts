import type { RuleRequest } from "@devid/sdk/rules";
import { AnswerError } from "../http/answer-error";

/** The request that an event came from. Throws AnswerError: the service keeps no events yet. */
export function requestOfEvent(id: string): RuleRequest {
  throw new AnswerError(
    "not_found",
    `There is no event ${id}, for the local service keeps no events yet. Send test_request_payload in place of test_request_id.`,
  );
}
