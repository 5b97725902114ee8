import { EventRecord } from "@devid/sdk/wire/events";
import { describe, expect, it } from "vitest";
import { addEvents, sendEvents } from "./event-calls.js";
import { FULL_EVENT } from "./legacy/legacy-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const MONTH_MS = 30 * 86_400_000;

const local = localForTests(
  { mutableAfterMs: 60_000 },
  new Date(NOW_MS).toISOString(),
);
const events = sendEvents(local);
const moveTo = (timeMs: number) =>
  local.moveClock(new Date(timeMs).toISOString());

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

describe("PATCH /events/{event_id}", () => {
  const patch = (id: string | undefined, body: unknown) =>
    events("PATCH", `/events/${id}`, { body });
  const mutable = async (part: object = {}) => {
    const [event] = await addEvents(local, [
      { timestamp: NOW_MS - 120_000, ...part },
    ]);
    return event?.event_id ?? "";
  };
  const read = async (id: string) =>
    (await events("GET", `/events/${id}`)).body as Record<string, unknown>;

  // contract: events-42, events-43, events-44, events-45, events-46, events-47
  it("changes the given fields, returns no body, and may be repeated", async () => {
    const id = await mutable({ tags: { old: 1 }, linked_id: "old", zzz: 1 });
    const before = await read(id);
    for (const body of [
      { suspect: false },
      { linked_id: "" },
      { tags: { new: { deep: [null] } } },
      { linked_id: "new", suspect: true, unknown: 1 },
      { linked_id: "new", suspect: true },
      {},
    ]) {
      const answer = await patch(id, body);
      expect([answer.status, answer.text]).toEqual([200, ""]);
    }
    expect(await read(id)).toEqual({
      ...before,
      linked_id: "new",
      suspect: true,
      tags: { new: { deep: [null] } },
    });
  });

  // contract: events-15, events-30, events-48, events-49
  it("is refused with 409 until the event is old enough", async () => {
    const [event] = await addEvents(local, [{}]);
    const refused = await patch(event?.event_id, { suspect: true });
    expect([refused.status, refused.error]).toEqual([
      409,
      {
        code: "state_not_ready",
        message: "resource is not mutable yet, try again",
      },
    ]);
    await moveTo((event?.timestamp ?? 0) + 59_000);
    expect((await patch(event?.event_id, {})).status).toBe(409);
    await moveTo((event?.timestamp ?? 0) + 60_000);
    expect((await patch(event?.event_id, {})).status).toBe(200);
  });

  // contract: events-50, events-51
  it("is refused with 400 after 30 days", async () => {
    const id = await mutable({ timestamp: NOW_MS });
    await moveTo(NOW_MS + MONTH_MS - 60_000);
    expect((await patch(id, { suspect: true })).status).toBe(200);
    await moveTo(NOW_MS + MONTH_MS + 1);
    const { status, error } = await patch(id, { suspect: false });
    expect([status, error.code]).toEqual([400, "request_cannot_be_parsed"]);
    expect(error.message).toMatch(/30 days/);
    expect(await read(id)).toMatchObject({ suspect: true });
  });

  const bytes = (count: number) => ({
    a: "x".repeat(count - '{"a":""}'.length),
  });

  // contract: events-47
  it("accepts a linked ID of up to 256 characters and tags of up to 16 KB", async () => {
    const id = await mutable();
    const linked_id = "x".repeat(256);
    expect((await patch(id, { linked_id })).status).toBe(200);
    expect((await patch(id, { tags: bytes(16 * 1024) })).status).toBe(200);
  });

  it("refuses a longer linked ID with the published message", async () => {
    const id = await mutable();
    const linked_id = "x".repeat(257);
    const refused = async (body: object) => {
      const answer = await patch(id, body);
      return [answer.status, answer.error.code, answer.error.message];
    };
    const tooLong = "linked_id can't be greater than 256 characters long";
    const code = "request_cannot_be_parsed";
    expect(await refused({ linked_id })).toEqual([400, code, tooLong]);
    expect(await refused({ linked_id, suspect: null })).toEqual([
      400,
      code,
      expect.stringMatching(/^request body is not valid: linked_id .*suspect/),
    ]);
  });

  // contract: events-12, events-35, events-47
  it.each<[unknown, string]>([
    [{ tags: bytes(16 * 1024 + 1) }, "tags must be at most 16384 bytes"],
    [{ tags: { a: "é".repeat(8 * 1024) } }, "tags must be at most"],
    [{ suspect: null }, "suspect"],
    [{ suspect: "true" }, "suspect"],
    [{ linked_id: null, tags: null }, "linked_id"],
    // contract: events-43
    [{ linked_id: 5 }, "linked_id"],
    [{ tags: [] }, "tags"],
    [{ tags: "a" }, "tags"],
    [[], "body"],
  ])("refuses %j", async (body, place) => {
    const id = await mutable();
    const before = await read(id);
    const answer = await patch(id, body);
    expect(answer.refusal).toEqual([400, "request_cannot_be_parsed"]);
    expect(answer.error.message).toMatch(/^request body is not valid: /);
    expect(answer.error.message).toContain(place);
    expect(await read(id)).toEqual(before);
  });
});
