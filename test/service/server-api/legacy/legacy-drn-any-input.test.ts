import fc from "fast-check";
import {
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
} from "@devid/sdk/wire/events";
import { beforeAll, describe, expect, it } from "vitest";
import { DRN_VERSION } from "../../device-reputation/drn-calls.js";
import { FULL_EVENT, NOW, sendLegacy } from "./legacy-calls.js";
import { LocalWorkspace } from "../../../helpers/local-workspace.js";
import { sender, type Send } from "../../sender.js";
import { openForTests } from "../../../helpers/open-for-tests.js";

let legacy: Send;
let drn: Send;
const local = openForTests(new LocalWorkspace());
beforeAll(async () => {
  legacy = sendLegacy(local);
  drn = sender(`${local.service.url}/drn`, {
    authorization: "Bearer local-secret-us",
    "x-api-version": DRN_VERSION,
  });
  await local.controlCall("POST", "/clock", { body: { now: NOW } });
  await local.controlCall("POST", "/us/events", { body: [FULL_EVENT] });
});

const names = Object.keys({
  ...LEGACY_SEARCH_PARAMETERS,
  ...LEGACY_VISITOR_PARAMETERS,
  signals: 0,
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
    "timestamps,",
    `${2 ** 60}`,
    "1e400",
    "-1",
    "0.1.2.3.4.x",
  ),
);
const name = fc.oneof(fc.constantFrom(...names), fc.string());
const query = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const id = fc.oneof(
  fc.constantFrom("visitor-1", FULL_EVENT.event_id, "search"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
);

/** Statuses that are not a fault of the service. */
const EXPECTED = [200, 400, 404, 405, 409];

describe("any input of version 3 and device reputation", () => {
  it("gets an answer that is never 5xx", async () => {
    await fc.assert(
      fc.asyncProperty(id, query, async (any, parameters) => {
        const path = encodeURIComponent(any);
        const undocumented = true;
        for (const answer of [
          await legacy("GET", `/events/search?limit=5&${parameters}`),
          await legacy("GET", `/events/${path}?${parameters}`, {
            undocumented,
          }),
          await legacy("GET", `/visitors/${path}?${parameters}`, {
            undocumented,
          }),
          await drn("GET", `/${path}?${parameters}`, { undocumented }),
          await drn("GET", `/visitor-1?signals=timestamps&${parameters}`),
        ])
          expect(EXPECTED).toContain(answer.status);
      }),
      { numRuns: 60 },
    );
  });

  it("gets such an answer as the body of an update", async () => {
    const part = fc.oneof(fc.string(), fc.jsonValue(), fc.boolean());
    const body = fc.oneof(
      fc.record(
        { linkedId: part, tag: part, suspect: part },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        const path = `/events/${FULL_EVENT.event_id}`;
        const answer = await legacy("PUT", path, { body: any });
        expect(EXPECTED).toContain(answer.status);
        expect((await legacy("GET", path)).status).toBe(200);
      }),
      { numRuns: 40 },
    );
  });

  it("is accepted or refused as the reputation of a device", async () => {
    const record = fc.record(
      {
        regionalActivity: fc.jsonValue(),
        suspectScore: fc.jsonValue(),
        timestamps: fc.record({
          firstSeenAt: fc.string(),
          lastSeenAt: fc.string(),
        }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(record, async (any) => {
        const { status } = await local.controlCall("POST", "/us/drn/any", {
          body: any,
        });
        expect([201, 400]).toContain(status);
        if (status === 400) return;
        const signals = "regional_activity,suspect_score,timestamps";
        const answer = await drn("GET", `/any?signals=${signals}`);
        expect(answer.data).toMatchObject(any);
      }),
      { numRuns: 40 },
    );
  });
});
