import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { addEvents, sendEvents } from "./event-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import type { Send } from "../sender.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { event } from "./random-events.js";

let events: Send;
const local = openForTests(new LocalWorkspace({ mutableAfterMs: 0 }));
beforeAll(async () => {
  events = sendEvents(local);
  const stored = { event_id: "1.a", timestamp: Date.now() - 1_000 };
  await addEvents(local, [stored, ...fc.sample(event, 100)]);
});

it("any input of the events API is either refused as an event, or stored and found", async () => {
  const odd = fc.dictionary(
    fc.oneof(fc.constantFrom("bot", "ip_info", "timestamp"), fc.string()),
    fc.jsonValue(),
  );
  const mixed = fc
    .tuple(event, odd)
    .map(([usual, more]) => ({ ...usual, ...more }));
  await fc.assert(
    fc.asyncProperty(fc.array(mixed, { maxLength: 3 }), async (body) => {
      const answer = await local.controlCall("POST", "/us/events", { body });
      expect([201, 400, 409]).toContain(answer.status);
      if (answer.status !== 201) return;
      for (const stored of answer.body as { event_id: string }[]) {
        const path = `/events/${stored.event_id}`;
        expect((await events("GET", path)).body).toEqual(stored);
      }
    }),
    { numRuns: 60 },
  );
});
