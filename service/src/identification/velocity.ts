import type { Event, Region } from "@devid/sdk";
import { type Events, traitsOf } from "../store/events/events";
import type { NewestEvent, Trait } from "../store/events/newest-events";

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
  const self = traitsOf(event);
  const seenWith = (trait: Trait): NewestEvent[] | undefined => {
    const { [trait]: value } = self;
    if (value === null) return undefined;
    return [...events.newest(workspace, trait, value), self];
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

/**
 * How many events, or how many different values of a trait, lie in each window before
 * a time.
 */
function countsOf(
  seen: readonly NewestEvent[],
  nowMs: number,
  distinct: Trait | undefined,
) {
  const ages: number[] = [];
  // The age of the youngest event with each value.
  const youngest = new Map<string, number>();
  for (const event of seen) {
    const age = nowMs - event.timestamp;
    if (age < 0 || age >= WINDOWS_MS["24_hours"]) continue;
    if (distinct === undefined) {
      ages.push(age);
      continue;
    }
    const value = event[distinct];
    if (value === null) continue;
    const known = youngest.get(value);
    if (known === undefined || age < known) youngest.set(value, age);
  }
  if (distinct !== undefined) ages.push(...youngest.values());
  const within = (windowMs: number) =>
    ages.reduce((sum, age) => (age < windowMs ? sum + 1 : sum), 0);
  return {
    "5_minutes": within(WINDOWS_MS["5_minutes"]),
    "1_hour": within(WINDOWS_MS["1_hour"]),
    "24_hours": within(WINDOWS_MS["24_hours"]),
  };
}
