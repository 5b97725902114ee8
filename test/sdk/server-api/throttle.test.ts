import { describe, expect, it } from "vitest";
import { answering, clientAt, event } from "./secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;

const BODY = { ...event("e1"), products: {}, events: [], data: {} };

/** A rate that lets one call through, and the next after a quarter of an hour. */
const ONCE = { eventsRequestsPerSecond: "0.001" };

describe("calls of the events API", () => {
  // contract: limits-7
  it("share one throttle for all clients with the same key", async () => {
    service = await answering([200, BODY]);
    const secretKey = "shared-by-clients";
    await clientAt(service.url, { ...ONCE, secretKey }).events.get("e1");
    const { events } = clientAt(service.url, { ...ONCE, secretKey });
    const controller = new AbortController();
    const reason = new Error("waited long enough");
    const { signal } = controller;
    const waiting = [
      events.get("e1", { signal }),
      events.search({}, { signal }),
      events.update("e1", {}, { signal }),
    ].map(rejection);
    await service.settle();
    controller.abort(reason);
    expect(await Promise.all(waiting)).toEqual(Array(3).fill(reason));
    await service.settle();
    expect(
      service.received.filter(({ path }) => path !== "/settle"),
    ).toHaveLength(1);
  });

  it("are not throttled with `off`", async () => {
    service = await answering([200, BODY]);
    const client = clientAt(service.url, { eventsRequestsPerSecond: "off" });
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: 50 }, () => client.events.get("e1")),
    );
    // The default of 5 a second would take twice as long.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(service.received).toHaveLength(50);
  });
});

// contract: drn-9
it("device reputation has its own throttle of 5 calls a second", async () => {
  service = await answering([200, BODY]);
  const settings = { ...ONCE, secretKey: "of-both-surfaces" };
  const client = clientAt(service.url, settings);
  await client.events.get("e1");
  const startedAt = performance.now();
  await Promise.all([1, 2, 3, 4].map(() => client.deviceReputation.get("v1")));
  // A burst of two calls, then one every 200 ms.
  expect(performance.now() - startedAt).toBeGreaterThan(390);
  expect(service.received).toHaveLength(5);
});
