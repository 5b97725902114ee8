import {
  HEADERS_OF_EVENT,
  MEMBERS_OF_EVENT,
  type EventField,
  type RequestEvent,
} from "./event-fields";
import { type PartialRuleRequest, UNKNOWN } from "./rule-request";

/**
 * The request of a past event, by the table of `event-fields.ts` (docs/assumptions.md,
 * A110). Everything that the event does not contain is unknown.
 */
export function eventAsRuleRequest(event: RequestEvent): PartialRuleRequest {
  const known = <Value>({ read }: EventField<Value>) =>
    read?.(event) ?? UNKNOWN;
  const headers = Object.entries<EventField<string>>(HEADERS_OF_EVENT).flatMap(
    ([name, field]) => {
      const value = known(field);
      return value === UNKNOWN ? [] : [[name, [value]] as const];
    },
  );
  const members = MEMBERS_OF_EVENT;
  return {
    headers: Object.fromEntries(headers),
    otherHeaders: "unknown",
    ip: known(members.ip),
    userAgent: known(members.userAgent),
    isAiBot: known(members.isAiBot),
    isCrawlerBot: known(members.isCrawlerBot),
    sdkPlatform: known(members.sdkPlatform),
    sdkVersion: known(members.sdkVersion),
    appPackageName: known(members.appPackageName),
  };
}
