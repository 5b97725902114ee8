import {
  HEADERS_OF_EVENT,
  MEMBERS_OF_EVENT,
  type EventField,
  type Told,
} from "./event-fields";
import { type PartialRuleRequest, UNKNOWN } from "./rule-request";

/**
 * The request of a past event, as far as the event tells it, by the table of
 * `event-fields.ts` (docs/assumptions.md, A110). Everything that an event does
 * not tell is unknown.
 */
export function eventAsRuleRequest(event: Told): PartialRuleRequest {
  const told = <Value>({ read }: EventField<Value>) => read?.(event) ?? UNKNOWN;
  const headers = Object.entries<EventField<string>>(HEADERS_OF_EVENT).flatMap(
    ([name, field]) => {
      const value = told(field);
      return value === UNKNOWN ? [] : [[name, [value]] as const];
    },
  );
  const members = MEMBERS_OF_EVENT;
  return {
    headers: Object.fromEntries(headers),
    otherHeaders: "unknown",
    ip: told(members.ip),
    userAgent: told(members.userAgent),
    isAiBot: told(members.isAiBot),
    isCrawlerBot: told(members.isCrawlerBot),
    sdkPlatform: told(members.sdkPlatform),
    sdkVersion: told(members.sdkVersion),
    appPackageName: told(members.appPackageName),
  };
}
