import type { EventUpdateArgs } from "@devid/sdk";
import { describe, expect, it, vi } from "vitest";
import { useSteadyClock } from "../../helpers/steady-clock";
import { answering, clientAt, failure } from "./secret-key-client";
import { json } from "../http/plain-server";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;

const NOT_READY = [
  409,
  failure("state_not_ready", "resource is not mutable yet, try again"),
] as const;
const DONE = [200, undefined] as const;

/** Pauses that are longer than a test. */
const SLOW = {
  maxAttempts: 5,
  budgetMs: 1e6,
  baseDelayMs: 1e7,
  maxDelayMs: 1e7,
};

describe("the request of an update", () => {
  it.each<[EventUpdateArgs, object]>([
    [{}, {}],
    [
      { linkedId: "l", suspect: false },
      { linked_id: "l", suspect: false },
    ],
    [{ linkedId: undefined, suspect: true }, { suspect: true }],
    [
      { tags: { aB: { c_d: null }, list: [1] } },
      { tags: { aB: { c_d: null }, list: [1] } },
    ],
    [{ linkedId: "" }, { linked_id: "" }],
    [{ linkedId: "x".repeat(256) }, { linked_id: "x".repeat(256) }],
  ])("is right for %j", async (args, body) => {
    service = await answering(DONE);
    expect(await service.client.events.update("e1", args)).toBeUndefined();
    const [request] = service.received;
    expect(request).toMatchObject({
      method: "PATCH",
      path: "/us/v4/events/e1",
    });
    expect(JSON.parse(request?.body ?? "")).toEqual(body);
    expect(request?.headers).toMatchObject({
      authorization: "Bearer a-secret-key",
      "content-type": "application/json",
    });
  });

  it.each<[object, string, string]>([
    [{ linkedId: "x".repeat(257) }, "linkedId", "256 characters"],
    [{ tags: { t: "é".repeat(8200) } }, "tags", "16384 bytes"],
    [{ tags: ["a"] }, "tags", "must be an object"],
    [{ tags: null }, "tags", "must be an object"],
    [{ suspect: "yes" }, "suspect", "must be true or false"],
    [{ visitorId: "v" }, "visitorId", "is not known"],
  ])(
    "is not sent for invalid arguments: %#",
    async (args, property, message) => {
      service = await answering(DONE);
      const error = await rejection(service.client.events.update("e1", args));
      expect(error).toMatchObject({
        name: "InvalidInputError",
        violations: [{ property }],
      });
      expect(error.message).toContain(message);
      expect(service.received).toEqual([]);
    },
  );

  it("may have tags of exactly 16 KB", async () => {
    service = await answering(DONE);
    const tags = { t: "x".repeat(16_384 - '{"t":""}'.length) };
    await service.client.events.update("e1", { tags });
    await rejection(
      service.client.events.update("e1", { tags: { t: `${tags.t}x` } }),
    );
    expect(service.received).toHaveLength(1);
  });
});

describe("an update of an event that is too new", () => {
  useSteadyClock();

  // contract: events-15, events-48
  it("is repeated until the event can be changed", async () => {
    service = await answering(NOT_READY, NOT_READY, NOT_READY, DONE);
    await service.client.events.update("e1", { suspect: true });
    expect(service.received.map(({ body }) => body)).toEqual(
      Array(4).fill('{"suspect":true}'),
    );
  });

  // contract: events-49
  it("ends at the deadline, with a last attempt then", async () => {
    service = await answering(NOT_READY);
    const startedAt = performance.now();
    const error = await rejection(
      service.client.events.update("e1", {}, { deadlineMs: 100 }),
    );
    const tookMs = performance.now() - startedAt;
    expect(error).toMatchObject({ name: "EventNotMutableError", status: 409 });
    expect(error.message).toContain(
      "Updating event e1 failed: 409 state_not_ready",
    );
    expect(error.message).toContain("deadlineMs");
    expect(tookMs).toBeGreaterThanOrEqual(99);
    expect(service.received.length).toBeGreaterThan(1);
  });

  it("is attempted a last time at the deadline, even if the pause would be longer", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.99);
    service = await answering(NOT_READY);
    const client = clientAt(service.url, {}, { retry: SLOW });
    const startedAt = performance.now();
    await rejection(client.events.update("e1", {}, { deadlineMs: 400 }));
    vi.restoreAllMocks();
    // The pause itself would be two seconds.
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(service.received).toHaveLength(2);
  });

  it("is attempted once with a deadline of 0", async () => {
    service = await answering(NOT_READY);
    const call = service.client.events.update("e1", {}, { deadlineMs: 0 });
    const error = await rejection(call);
    expect(error.name).toBe("EventNotMutableError");
    expect(error.message).not.toContain("repeated");
    expect(service.received).toHaveLength(1);
  });

  it("keeps to the client's bound of a whole call in later attempts, too", async () => {
    let calls = 0;
    // The second answer never comes.
    service = await answering((_, response) => {
      if (++calls === 1) json(response, ...NOT_READY);
    });
    const client = clientAt(service.url, {}, { timeoutMs: 500 });
    const startedAt = performance.now();
    const error = await rejection(client.events.update("e1", {}));
    expect(error.name).toBe("CallTimeoutError");
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(calls).toBe(2);
  });

  it("is recognised by its status alone, too", async () => {
    service = await answering([409, "<html>"], DONE);
    await service.client.events.update("e1", {});
    expect(service.received).toHaveLength(2);
  });

  it("stops when its signal aborts during the pause", async () => {
    service = await answering(NOT_READY);
    const controller = new AbortController();
    const reason = new Error("changed my mind");
    const client = clientAt(
      service.url,
      {},
      {
        retry: SLOW,
        // The answer was read, so the pause follows.
        onRequest: () => setImmediate(() => controller.abort(reason)),
      },
    );
    const call = client.events.update(
      "e1",
      {},
      { deadlineMs: 1e8, signal: controller.signal },
    );
    expect(await rejection(call)).toBe(reason);
    expect(service.received).toHaveLength(1);
  });
});

it.each<[number, string, string]>([
  [400, "request_cannot_be_parsed", "ValidationError"],
  [404, "event_not_found", "EventNotFoundError"],
  [403, "secret_api_key_not_found", "SecretKeyError"],
])(
  "an update that waiting cannot help fails at once: %i %s",
  async (status, code, name) => {
    const text = "an event older than one month cannot be changed";
    service = await answering([status, failure(code, text)]);
    const error = await rejection(service.client.events.update("e1", {}));
    expect(error.name).toBe(name);
    expect(error.message).toContain(text);
    expect(service.received).toHaveLength(1);
  },
);
