import type { Event } from "@devid/sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Clock } from "../../../service/src/clock";
import { completeEvent } from "../../../service/src/control/add-events";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { openStore } from "../../../service/src/store/store";

const MINUTE_MS = 60_000;
const WINDOWS = { "5_minutes": 5, "1_hour": 60, "24_hours": 24 * 60 };

const texts = (...values: string[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const anEvent = fc.record({
  // Some events are later than the visit, as after the clock was turned back, and
  // events are not in order.
  minutesAgo: fc.constantFrom(-10, 0, 1, 4, 5, 30, 59, 60, 600, 1_439, 1_440),
  visitor: texts("a", "b"),
  ip: texts("192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1"),
  linked: texts("x", "y"),
});

it("velocity is the same as a count of all events", () => {
  fc.assert(
    fc.property(
      fc.array(anEvent, { maxLength: 30 }),
      anEvent,
      (before, visit) => {
        const clock = new Clock();
        const store = openStore(":memory:", clock, DEVELOPMENT_KEYS);
        const nowMs = clock.nowMs();
        const eventOf = (described: typeof visit): Event => ({
          ...completeEvent(
            { timestamp: nowMs - described.minutesAgo * MINUTE_MS },
            nowMs,
            "ae_1",
          ),
          ip_address: described.ip,
          linked_id: described.linked,
          identification:
            described.visitor === undefined
              ? undefined
              : { visitor_id: described.visitor, visitor_found: true },
        });
        const self = eventOf({ ...visit, minutesAgo: 0 });
        const velocity = () => store.events.velocity("us", self);
        for (const one of before) {
          store.events.insert("us", [eventOf(one)]);
        }
        const all = [...before, { ...visit, minutesAgo: 0 }].map((one) => ({
          ...one,
          ip: one.ip?.replace("::ffff:", ""),
        }));
        const me = all.at(-1);
        type Trait = "visitor" | "ip" | "linked";
        const countBy = (of: Trait, distinct?: Trait) =>
          me?.[of] === undefined
            ? undefined
            : Object.fromEntries(
                Object.entries(WINDOWS).map(([name, minutes]) => {
                  const seen = all.filter(
                    ({ minutesAgo, ...one }) =>
                      one[of] === me[of] &&
                      minutesAgo >= 0 &&
                      minutesAgo < minutes,
                  );
                  const values = seen.flatMap((one) =>
                    distinct === undefined ? [] : (one[distinct] ?? []),
                  );
                  return [
                    name,
                    distinct === undefined ? seen.length : new Set(values).size,
                  ];
                }),
              );
        expect({
          distinct_ip: countBy("visitor", "ip"),
          distinct_linked_id: countBy("visitor", "linked"),
          events: countBy("visitor"),
          ip_events: countBy("ip"),
          distinct_ip_by_linked_id: countBy("linked", "ip"),
          distinct_visitor_id_by_linked_id: countBy("linked", "visitor"),
        }).toEqual(velocity());
        store.close();
      },
    ),
    { numRuns: 150 },
  );
});
