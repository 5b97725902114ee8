import type { Event, Region } from "@devid/sdk";
import type { Events } from "../store/events/events";
import { ipKey } from "../store/events/ip-range";
import type { NewestEvent, Trait } from "../store/events/newest-events";

/**
 * The highest count: a bound keeps a busy address from slowing down
 * identifications (docs/assumptions.md, A163).
 */
const MOST_EVENTS = 1_000;

const MINUTE_MS = 60_000;
const WINDOWS_MS = {
  "5_minutes": 5 * MINUTE_MS,
  "1_hour": 60 * MINUTE_MS,
  "24_hours": 24 * 60 * MINUTE_MS,
};

/**
 * How often the visitor, the address and the linked ID of an event were seen,
 * up to and including this event (docs/contract.md, "Event record"). Countries
 * are unknown to the service and are not counted.
 */
export function velocityOf(
  events: Events,
  workspace: Region,
  event: Event,
): Event["velocity"] {
  const self: NewestEvent = {
    timestamp: event.timestamp,
    identification_visitor_id: event.identification?.visitor_id ?? null,
    ip_address: ipKey(event.ip_address ?? "") ?? null,
    linked_id: event.linked_id ?? null,
  };
  const seenWith = (trait: Trait): NewestEvent[] | undefined => {
    const { [trait]: value } = self;
    if (value === null) return undefined;
    const past = events.newest(workspace, trait, value, MOST_EVENTS - 1);
    return [self, ...past];
  };
  const ofVisitor = seenWith("identification_visitor_id");
  const ofAddress = seenWith("ip_address");
  const ofLinkedId = seenWith("linked_id");
  const count = (seen: NewestEvent[], distinct?: Trait) =>
    countsOf(seen, event.timestamp, distinct);
  return {
    ...(ofVisitor && {
      distinct_ip: count(ofVisitor, "ip_address"),
      distinct_linked_id: count(ofVisitor, "linked_id"),
      events: count(ofVisitor),
    }),
    ...(ofAddress && { ip_events: count(ofAddress) }),
    ...(ofLinkedId && {
      distinct_ip_by_linked_id: count(ofLinkedId, "ip_address"),
      distinct_visitor_id_by_linked_id: count(
        ofLinkedId,
        "identification_visitor_id",
      ),
    }),
  };
}

function countsOf(
  seen: readonly NewestEvent[],
  nowMs: number,
  distinct: Trait | undefined,
) {
  const within = (windowMs: number): number => {
    const inWindow = seen.filter(
      ({ timestamp }) => timestamp > nowMs - windowMs && timestamp <= nowMs,
    );
    if (distinct === undefined) return inWindow.length;
    const values = inWindow.map(({ [distinct]: value }) => value);
    return new Set(values.filter((value) => value !== null)).size;
  };
  return {
    "5_minutes": within(WINDOWS_MS["5_minutes"]),
    "1_hour": within(WINDOWS_MS["1_hour"]),
    "24_hours": within(WINDOWS_MS["24_hours"]),
  };
}
