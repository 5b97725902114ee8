import { EventRecord } from "@devid/sdk/wire/events";
import { describe, expect, it } from "vitest";
import { addEvents, sendEvents } from "./event-calls.js";
import { FULL_EVENT } from "./legacy/legacy-calls.js";
import { requestTests } from "../request-tests.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW_MS = Date.UTC(2026, 5, 1, 12);

const local = localForTests(
  { mutableAfterMs: 60_000 },
  new Date(NOW_MS).toISOString(),
);
const events = sendEvents(local);

describe("GET /events/{event_id}", () => {
  // contract: events-38, events-104, events-116, events-119, versions-5
  it("returns an event with all its fields, also unknown fields", async () => {
    const given = { ...FULL_EVENT, of_tomorrow: { deep: [1, null] } };
    const [stored] = await addEvents(local, [given]);
    expect(stored).toEqual({
      ...given,
      source: "device",
      environment_id: local.service.workspaces.us.environment,
      origin: "https://shop.example",
    });
    const { body } = await events("GET", `/events/${FULL_EVENT.event_id}`);
    expect(body).toEqual(stored);
    expect(EventRecord.parse(body)).toEqual(stored);
  });

  // contract: events-36
  it("accepts the ID in any escaped form", async () => {
    await addEvents(local, [{ event_id: "1.a-b_C" }]);
    for (const id of ["1.a-b_C", "1%2Ea%2Db_C"])
      expect((await events("GET", `/events/${id}`)).status).toBe(200);
    expect((await events("GET", "/events/1.a-b_c")).status).toBe(404);
  });
});

// contract: events-42, events-43, events-44, events-45, events-46, events-47
it("PATCH /events/{event_id} changes the given fields, returns no body, and may be repeated", async () => {
  const given = { tags: { old: 1 }, linked_id: "old", zzz: 1 };
  const timestamp = NOW_MS - 120_000;
  const [before] = await addEvents(local, [{ ...given, timestamp }]);
  const path = `/events/${before?.event_id}`;
  for (const body of [
    { suspect: false },
    { linked_id: "" },
    { tags: { new: { deep: [null] } } },
    { linked_id: "new", suspect: true, unknown: 1 },
    { linked_id: "new", suspect: true },
    {},
  ]) {
    const answer = await events("PATCH", path, { body });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  }
  expect((await events("GET", path)).body).toEqual({
    ...{ ...before, linked_id: "new", suspect: true },
    tags: { new: { deep: [null] } },
  });
});

requestTests(
  local,
  `
// contract: events-15, events-30, events-48, events-49
an update is refused with 409 until the event is old enough
  control POST /us/events [{event_id: 1.a, timestamp: ${NOW_MS}}] = 201
  clock 2026-06-01T12:00:59Z
  v4 PATCH /events/1.a {suspect: true} = 409 state_not_ready {message: "resource is not
    mutable yet, try again"}
  clock 2026-06-01T12:01:00Z
  v4 PATCH /events/1.a {} = 200
// contract: events-50, events-51
an update is refused with 400 after 30 days
  control POST /us/events [{event_id: 1.a, timestamp: ${NOW_MS}}] = 201
  clock 2026-07-01T11:59:00Z
  v4 PATCH /events/1.a {suspect: true} = 200
  clock 2026-07-01T12:00:00.001Z
  v4 PATCH /events/1.a {suspect: false} = 400 request_cannot_be_parsed {message: "~.*30
    days"}
  v4 GET /events/1.a = 200 {suspect: true}
// contract: events-47
an update accepts a linked ID of up to 256 characters and tags of up to 16 KB
  control POST /us/events [{event_id: 1.a, timestamp: 1780315000000}] = 201
  v4 PATCH /events/1.a {linked_id: x*256, tags: {a: x*16376}} = 200
  v4 PATCH /events/1.a {linked_id: x*257} = 400 request_cannot_be_parsed {message:
    linked_id can't be greater than 256 characters long}
  v4 PATCH /events/1.a {linked_id: x*257, suspect: null} = 400 request_cannot_be_parsed
    {message: "~request body is not valid: linked_id .*suspect"}
  v4 GET /events/1.a = 200 {linked_id: x*256, tags: {a: x*16376}}
// contract: events-12, events-35, events-43, events-47
an update refuses wrong values
  control POST /us/events [{event_id: 1.a, timestamp: 1780315000000, tags: {a: b},
    linked_id: c}] = 201 event
  v4 PATCH /events/1.a {tags: {a: x*16377}} = 400 request_cannot_be_parsed {message:
    "~request body is not valid: tags must be at most 16384 bytes"}
  v4 PATCH /events/1.a {tags: {a: é*8192}} = 400 {message: "~.*tags must be at most"}
  v4 PATCH /events/1.a {suspect: null} = 400 {message: "~.*suspect"}
  v4 PATCH /events/1.a {suspect: "true"} = 400 {message: "~.*suspect"}
  v4 PATCH /events/1.a {linked_id: null, tags: null} = 400 {message: "~.*linked_id"}
  v4 PATCH /events/1.a {linked_id: 5} = 400 {message: "~.*linked_id"}
  v4 PATCH /events/1.a {tags: []} = 400 {message: "~.*tags"}
  v4 PATCH /events/1.a {tags: a} = 400 {message: "~.*tags"}
  v4 PATCH /events/1.a [] = 400 request_cannot_be_parsed {message: "~.*body"}
  v4 GET /events/1.a = 200 {tags: $event.tags, linked_id: c}
`,
);
