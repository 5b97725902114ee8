import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Event } from "@devid/sdk";
import { measureImpact } from "@devid/review/replay";
import { expect, it } from "vitest";
import { rule } from "../../rules/diff/rule";

const COUNT = 40_000;
const END = Date.UTC(2026, 5, 8);
const START = END - 7 * 24 * 3_600_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Refers weakly to every hundredth event, and counts now and then how many are still
 * alive.
 */
interface Witness {
  readonly seen: WeakRef<Event>[];
  readonly alive: number[];
}

/** Makes `count` events, and keeps none. */
async function* corpus(
  count: number,
  rest: (n: number) => object,
  witness?: Witness,
) {
  for (let n = 0; n < count; n += 1_000) {
    for (let i = 0; i < 1_000; i++) {
      const timestamp = Math.floor(START + ((n + i) / count) * (END - START));
      const linked_id = `user-${(n + i) % 2_000}`;
      const made = { timestamp, linked_id, ...rest(n + i) } as unknown as Event;
      if (i % 100 === 0) witness?.seen.push(new WeakRef(made));
      yield made;
    }
    // The target of a new weak reference lives until the end of the turn.
    await new Promise(setImmediate);
    if (witness && n % 10_000 === 0) {
      collectGarbage();
      const alive = witness.seen.filter((one) => one.deref() !== undefined);
      witness.alive.push(alive.length);
    }
  }
}

it("counts many events exactly without keeping them in memory", async () => {
  const witness: Witness = { seen: [], alive: [] };
  const impact = await measureImpact(
    corpus(
      COUNT,
      (n) => ({ event_id: `e${n}`, user_agent: `agent/${n % 7}` }),
      witness,
    ),
    {
      inForce: [],
      proposed: [rule("agent", "http.user_agent.string == 'agent/3'")],
      start: START,
      end: END,
    },
  );
  const expected = Math.ceil((COUNT - 3) / 7);
  expect(impact.events).toBe(COUNT);
  expect(impact.total.newlyDenied).toEqual({ value: expected });
  expect(impact.newlyDenied.top.userAgent).toEqual([
    { value: "agent/3", events: expected },
  ]);
  expect(impact.newlyDenied.top.linkedId[0]).not.toHaveProperty("atMost");
  // Of 10 to 310 watched events, only some of the latest are alive.
  expect(witness.alive).toHaveLength(4);
  expect(Math.max(...witness.alive)).toBeLessThanOrEqual(10);
}, 120_000);

it("gives bounds for a count if there are too many values", async () => {
  const impact = await measureImpact(
    corpus(80_000, (n) => ({
      event_id: `e${n}`,
      linked_id: n % 5 === 0 ? "often" : `once-${n}`,
    })),
    { inForce: [], proposed: [rule("all")], start: START, end: END },
  );
  const [often, next] = impact.newlyDenied.top.linkedId;
  expect(often?.value).toBe("often");
  expect(often?.events).toBeLessThanOrEqual(16_000);
  expect(often?.atMost).toBeGreaterThanOrEqual(16_000);
  expect((often?.atMost ?? 0) - (often?.events ?? 0)).toBeLessThan(10);
  expect(next?.atMost).toBeLessThan(10);
}, 120_000);
