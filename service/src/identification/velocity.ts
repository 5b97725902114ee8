import type { Event, Region } from "@devid/sdk";
import { type Events, traitsOf } from "../store/events/events";
import type {
  EventLists,
  NewestEvent,
  Trait,
} from "../store/events/recent-events";

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
  const seenWith = (trait: Trait): EventLists | undefined => {
    const { [trait]: value } = self;
    return value === null ? undefined : events.newest(workspace, trait, value);
  };
  const ofVisitor = seenWith("identification_visitor_id");
  const ofAddress = seenWith("ip_address");
  const ofLinkedId = seenWith("linked_id");
  const distinct = (seen: EventLists, trait: Trait) =>
    distinctCounts(seen, self, trait);
  const velocity: NonNullable<Event["velocity"]> = {};
  if (ofVisitor) {
    velocity.distinct_ip = distinct(ofVisitor, "ip_address");
    velocity.distinct_linked_id = distinct(ofVisitor, "linked_id");
    velocity.events = counts(ofVisitor, self);
  }
  if (ofAddress) velocity.ip_events = counts(ofAddress, self);
  if (ofLinkedId) {
    velocity.distinct_ip_by_linked_id = distinct(ofLinkedId, "ip_address");
    velocity.distinct_visitor_id_by_linked_id = distinct(
      ofLinkedId,
      "identification_visitor_id",
    );
  }
  return velocity;
}

/** How many events lie in each window before the time of one, which counts, too. */
function counts(seen: EventLists, { timestamp }: NewestEvent) {
  let [minutes, hour, day] = [1, 1, 1];
  for (const time of seen.timestamp) {
    const age = timestamp - time;
    if (age < 0 || age >= WINDOWS_MS["24_hours"]) continue;
    day++;
    if (age < WINDOWS_MS["1_hour"]) hour++;
    if (age < WINDOWS_MS["5_minutes"]) minutes++;
  }
  return { "5_minutes": minutes, "1_hour": hour, "24_hours": day };
}

/** How many different values of a trait the events in each window have. */
function distinctCounts(seen: EventLists, self: NewestEvent, trait: Trait) {
  // The age of the youngest event with each value.
  const youngest = new Map<string, number>();
  let [lastValue, lastAge] = ["", Infinity];
  const take = (value: string | null, age: number) => {
    if (value === null || age < 0 || age >= WINDOWS_MS["24_hours"]) return;
    // Looking a text up is slow, and most events have the same value as the event before.
    if (value === lastValue && age >= lastAge) return;
    [lastValue, lastAge] = [value, age];
    const known = youngest.get(value);
    if (known === undefined || age < known) youngest.set(value, age);
  };
  take(self[trait], 0);
  const { timestamp, [trait]: values } = seen;
  // The newest first, so that the first event with a value is mostly its youngest.
  for (let n = timestamp.length - 1; n >= 0; n--)
    take(values[n] ?? null, self.timestamp - (timestamp[n] ?? 0));
  let [minutes, hour] = [0, 0];
  for (const age of youngest.values()) {
    if (age < WINDOWS_MS["1_hour"]) hour++;
    if (age < WINDOWS_MS["5_minutes"]) minutes++;
  }
  return { "5_minutes": minutes, "1_hour": hour, "24_hours": youngest.size };
}
