import { originOf, type Event } from "@devid/sdk";
import { newEventId, newVisitorId } from "../store/identity";
import type { NewEvent } from "./new-event";

/**
 * Fills in what every event has: ID, time (now), source (a device) and
 * environment (the default one); a device has a visitor, whom nobody has seen
 * before unless it is said, and a web address has an origin. Signals are never
 * made up, a null stays, and the verdict of a ruleset is not part of a stored event.
 */
export function completeEvent(
  { identification, rule_action: _, ...given }: NewEvent,
  nowMs: number,
  environment_id: string | undefined,
): Event {
  const { timestamp = nowMs, source = "device" } = given;
  const { event_id = newEventId(timestamp) } = given;
  const origin = originOf(given);
  const hasVisitor = identification !== undefined || source === "device";
  return {
    event_id,
    timestamp,
    source,
    ...(environment_id !== undefined && { environment_id }),
    ...(origin !== undefined && { origin }),
    ...(identification === null
      ? { identification }
      : hasVisitor && {
          identification: {
            visitor_id: newVisitorId(),
            visitor_found: false,
            ...identification,
          },
        }),
    ...given,
  };
}
