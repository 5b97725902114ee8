import fc from "fast-check";
import { EVENT_SEARCH_PARAMETERS } from "@devid/sdk/wire/events";
import { beforeAll, describe, expect, it } from "vitest";
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

const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.ipV4(),
  fc.ipV6().map((ip) => `${ip}/64`),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    "true",
    "all",
    `${2n ** 63n}`,
    "1e400",
    "-1",
    "0.1.2.3.4.x",
    "constructor",
  ),
);
const name = fc.oneof(
  fc.constantFrom(...Object.keys(EVENT_SEARCH_PARAMETERS), "ruleset_id", "ii"),
  fc.constantFrom("__proto__", "constructor", "toString", "a[]", "a[0]"),
  fc.string(),
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((pairs) => new URLSearchParams(pairs).toString());

describe("any input of the events API", () => {
  it("gets an answer that is never 5xx", async () => {
    const id = fc.oneof(
      fc.constantFrom("1.a", "__proto__", ".", ".."),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(id, query, async (any, parameters) => {
        const path = `/events/${encodeURIComponent(any)}?${parameters}`;
        const undocumented = true;
        for (const answer of [
          await events("GET", `/events?${parameters}`),
          await events("GET", path, { undocumented }),
          await events("PATCH", path, { undocumented, body: {} }),
        ])
          expect([200, 400, 404, 405]).toContain(answer.status);
      }),
      { numRuns: 60 },
    );
  });

  it("gets such an answer as a raw query, too", async () => {
    const raw = fc
      .string({ unit: fc.constantFrom(..."%&=[]+,;?a1FfEe/".split("")) })
      .map((text) => text.replaceAll("#", ""));
    await fc.assert(
      fc.asyncProperty(raw, async (text) => {
        const answer = await events("GET", `/events?${text}`);
        expect([200, 400]).toContain(answer.status);
      }),
      { numRuns: 40 },
    );
  });

  it("gets such an answer as the body of an update", async () => {
    const part = fc.oneof(fc.string(), fc.jsonValue(), fc.boolean());
    const body = fc.oneof(
      fc.record(
        { linked_id: part, tags: part, suspect: part },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        const { status } = await events("PATCH", "/events/1.a", { body: any });
        expect([200, 400]).toContain(status);
        expect((await events("GET", "/events/1.a")).status).toBe(200);
      }),
      { numRuns: 40 },
    );
  });

  it("is either refused as an event, or stored and found", async () => {
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
});
