import type { EventUpdateArgs } from "@devid/sdk";
import { describe, expect, it } from "vitest";
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
  budgetMs: 1e8,
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
  // contract: events-15, events-48
  it("is repeated until the event can be changed, however often", async () => {
    const refused = Array.from({ length: 8 }, () => NOT_READY);
    service = await answering(...refused, DONE);
    const client = clientAt(service.url, {}, { retry: { baseDelayMs: 1 } });
    await client.events.update("e1", { suspect: true });
    expect(service.received.map(({ body }) => body)).toEqual(
      Array(9).fill('{"suspect":true}'),
    );
  });

  // contract: events-49
  it("ends with the retry budget", async () => {
    service = await answering(NOT_READY);
    const retry = { budgetMs: 100, baseDelayMs: 1, maxDelayMs: 5 };
    const error = await rejection(
      service.client.events.update("e1", {}, { retry }),
    );
    expect(error).toMatchObject({ name: "EventNotMutableError", status: 409 });
    expect(error.message).toContain(
      "Updating event e1 failed: 409 state_not_ready",
    );
    expect(error.message).toContain("retry.budgetMs");
    expect(service.received.length).toBeGreaterThan(1);
  });

  it.each([1, 2])(
    "is attempted as often as maxAttempts says: %i",
    async (maxAttempts) => {
      service = await answering(NOT_READY);
      const retry = { maxAttempts };
      const error = await rejection(
        service.client.events.update("e1", {}, { retry }),
      );
      expect(error.name).toBe("EventNotMutableError");
      expect(service.received).toHaveLength(maxAttempts);
    },
  );

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
    expect(performance.now() - startedAt).toBeLessThan(8_000);
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
    const { signal } = controller;
    const call = client.events.update("e1", {}, { signal });
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
