import type { Event, Region } from "@devid/sdk";
import { eventAsRuleRequest } from "@devid/rules/language";
import { UNKNOWN, type RuleRequest } from "@devid/rules";
import { AnswerError } from "../http/answer-error";
import type { Store } from "../store/store";

/**
 * The request that an event came from, as far as the event tells it: what it
 * does not tell counts as not sent (docs/assumptions.md, A36). Throws
 * AnswerError where the workspace has no such event.
 */
export function requestOfEvent(
  { events }: Store,
  workspace: Region,
  id: string,
): RuleRequest {
  const row = events.get(workspace, id);
  if (!row) throw new AnswerError("not_found", `There is no event ${id}.`);
  const told = Object.entries(
    eventAsRuleRequest(JSON.parse(row.body) as Event),
  ).filter(([name, value]) => value !== UNKNOWN && name !== "otherHeaders");
  return { headers: {}, ...Object.fromEntries(told) };
}
