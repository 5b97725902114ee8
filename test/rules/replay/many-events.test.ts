import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Event } from "@devid/sdk";
import { measureImpact } from "@devid/rules/replay";
import { expect, it } from "vitest";
import { EventCorpus } from "../../bench/event-corpus";
import { rule } from "../diff/rule";

const COUNT = 100_000;
const END = Date.UTC(2026, 5, 8);
const START = END - 7 * 24 * 3_600_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** So many events, none of them kept; `heap` sees how much memory is really held. */
async function* corpus(
  count: number,
  rest: (n: number) => object,
  heap?: number[],
) {
  const events = new EventCorpus(count, END, 1);
  for (let n = 0; n < count; n += 1_000) {
    for (const [i, event] of events.batch(n, 1_000).entries())
      yield { ...event, ...rest(n + i) } as Event;
    await Promise.resolve();
    // What other files have left in this process is looked through each time.
    if (heap && n % 25_000 === 0) {
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed);
    }
  }
}

it("counts many events exactly, in memory that does not grow", async () => {
  const heap: number[] = [];
  const impact = await measureImpact(
    corpus(
      COUNT,
      (n) => ({ event_id: `e${n}`, user_agent: `agent/${n % 7}` }),
      heap,
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
  expect(Math.max(...heap) - (heap[0] ?? 0)).toBeLessThan(20 * 2 ** 20);
}, 120_000);

it("says between what a number lies where values are too many", async () => {
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
