import { measureImpact, impactOf } from "@devid/review/replay";
import { afterEach, describe, expect, it } from "vitest";
import type { PlainServer } from "../http/plain-server";
import { clientAt } from "./secret-key-client";
import { Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { ALL_BORDERS, bordersServer, crowdedEvents } from "./borders-server";

const START = 1_700_000_000_000;
const EVENTS = crowdedEvents(2_000, START);
const END = EVENTS.at(-1)?.timestamp ?? 0;
const IDS = EVENTS.map(({ event_id: id }) => id);

let server: PlainServer | undefined;
afterEach(() => server?.close());

async function idsOf(events: AsyncIterable<{ event_id: string }>) {
  const ids: string[] = [];
  for await (const { event_id: id } of events) ids.push(id);
  return ids;
}

const RULES = {
  inForce: [],
  proposed: [
    { name: "all", expression: "true", action: "deny", status: "enabled" },
  ],
} as const;

describe.each(ALL_BORDERS)(
  "with a service whose borders are %j, no event is lost",
  (borders) => {
    it.each([true, false])(
      "by a read of all pages, reverse %s",
      async (reverse) => {
        server = await bordersServer(EVENTS, borders);
        const { events } = clientAt(server.url);
        for (const range of [
          { start: START - 1, end: END + 1 },
          { start: START - 1 },
        ]) {
          const found = await idsOf(events.searchAll({ ...range, reverse }));
          expect(found).toEqual(reverse ? IDS : IDS.toReversed());
        }
      },
    );

    it("by a replay, complete and sampled", async () => {
      server = await bordersServer(EVENTS, borders);
      const client = clientAt(server.url);
      // One event is at the first moment of the range, and one at the last.
      const range = { ...RULES, start: START, end: END + 1 };
      const impact = await impactOf(client, range);
      expect(impact.events).toBe(EVENTS.length);
      expect(impact.total.newlyDenied.value).toBe(EVENTS.length);

      let seed = 7;
      const random = () =>
        (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
      const sampled = await impactOf(client, { ...range, sample: 500, random });
      // The same sample from a service with inclusive ends has the same counts.
      const other = await bordersServer(EVENTS, {
        includesStart: true,
        includesEnd: true,
      });
      seed = 7;
      const wanted = await impactOf(clientAt(other.url), {
        ...range,
        sample: 500,
        random,
      });
      await other.close();
      expect(sampled).toEqual(wanted);
      expect(sampled.sample).toBeDefined();
    });
  },
);

const workspace = openForTests(new Workspace());

it("with the local service no event is lost either", async () => {
  const start = Date.now() - 3_600_000;
  const stored = crowdedEvents(2_000, start);
  await workspace.control("/us/events", stored);
  const client = workspace.client();
  for (const reverse of [true, false]) {
    const found = await idsOf(client.events.searchAll({ start, reverse }));
    const ids = stored.map(({ event_id: id }) => id);
    expect(found).toEqual(reverse ? ids : ids.toReversed());
  }
  const end = (stored.at(-1)?.timestamp ?? 0) + 1;
  const impact = await impactOf(client, { ...RULES, start, end });
  expect(impact.events).toBe(stored.length);
  const exact = await measureImpact(client.events.searchAll({ start }), {
    ...RULES,
    start,
    end,
  });
  expect(impact.total).toEqual(exact.total);
});
