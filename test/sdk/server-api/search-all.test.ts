import type { Event, EventSearchAllOptions } from "@devid/sdk";
import { describe, expect, it, vi } from "vitest";
import { answering, event, failure, type Answer } from "./secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;

const page = (n: number, last = false): Answer => [
  200,
  {
    events: [event(`${n}a`), event(`${n}b`)],
    ...(last ? {} : { pagination_key: `key-${n}` }),
  },
];

const walk = (options?: EventSearchAllOptions) =>
  service.client.events.searchAll({ vpn: true }, options);

async function ids(events: AsyncIterable<Event>): Promise<string[]> {
  const all: string[] = [];
  for await (const { event_id } of events) all.push(event_id);
  return all;
}

/** The queries of the searches so far. */
const queries = () =>
  service.received
    .filter(({ path }) => path.includes("/v4/events"))
    .map(({ path }) => new URL(path, service.url).search);
const searches = () => queries().length;

describe("a read of all pages", () => {
  it.each([true, false])(
    "returns every event once, with prefetch %s",
    async (prefetch) => {
      service = await answering(page(1), page(2), page(3, true));
      expect(await ids(walk({ prefetch }))).toEqual([
        "1a",
        "1b",
        "2a",
        "2b",
        "3a",
        "3b",
      ]);
      expect(queries()).toEqual([
        "?vpn=true&limit=100",
        "?vpn=true&limit=100&pagination_key=key-1",
        "?vpn=true&limit=100&pagination_key=key-2",
      ]);
    },
  );

  it("checks its arguments once: what becomes of them later changes no page", async () => {
    service = await answering(page(1), page(2, true));
    const start = new Date("2026-01-31T00:00:00Z");
    const args = { start, environment: ["ae_1"] };
    const all = service.client.events.searchAll(args, { prefetch: false });
    await all.next();
    start.setTime(NaN);
    args.environment.push("");
    expect(await ids(all)).toEqual(["1b", "2a", "2b"]);
    const [first = "", second] = queries();
    expect(second).toBe(`${first}&pagination_key=key-1`);
  });

  it("starts at a key, with the given page size", async () => {
    service = await answering(page(7, true));
    const args = { limit: 7, paginationKey: "key-6" };
    expect(await ids(service.client.events.searchAll(args))).toHaveLength(2);
    expect(queries()).toEqual(["?limit=7&pagination_key=key-6"]);
  });

  it("continues after an empty page, and accepts an empty result", async () => {
    const empty = [200, { events: [], pagination_key: "k" }] as const;
    service = await answering(empty, page(2, true));
    expect(await ids(walk())).toEqual(["2a", "2b"]);
    service = await answering([200, { events: [] }]);
    expect(await ids(walk())).toEqual([]);
  });

  // contract: events-96
  it.each([
    ["the key that was just used", [1, 1]],
    ["an earlier key", [1, 2, 1]],
    ["a key of three pages before", [1, 2, 3, 1]],
  ])("ends with an error at %s", async (_, keys) => {
    for (const options of [{ prefetch: false }, {}]) {
      service = await answering(...keys.map((n) => page(n)));
      await expect(ids(walk(options))).rejects.toThrow(
        /key of the next page was the key of an earlier page/,
      );
      expect(searches()).toBe(keys.length);
    }
  });

  it("ends with an error at the key that it started at", async () => {
    service = await answering(page(1));
    const args = { paginationKey: "key-1" };
    await expect(ids(service.client.events.searchAll(args))).rejects.toThrow(
      /key of the next page was the key of an earlier page/,
    );
    expect(searches()).toBe(1);
  });

  it("sends nothing before its first event is requested", async () => {
    service = await answering(page(1, true));
    const events = walk();
    await service.settle();
    expect(searches()).toBe(0);
    await events.next();
    expect(searches()).toBe(1);
  });
});

describe("the prefetch of a read", () => {
  it("is one page, even if the caller is slow", async () => {
    service = await answering((request, response) => {
      const { searchParams } = new URL(request.path, service.url);
      const n = Number(searchParams.get("pagination_key")?.slice(4) ?? 0) + 1;
      const [status, body] = page(n) as [number, unknown];
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
    const events = walk();
    await events.next();
    await expect.poll(() => searches()).toBe(2);
    await service.settle();
    expect(searches()).toBe(2);
    await events.next(); // The last event of the first page.
    await service.settle();
    expect(searches()).toBe(2);
    await events.next(); // The first event of the second page.
    await expect.poll(() => searches()).toBe(3);
    await service.settle();
    expect(searches()).toBe(3);
    await events.return();
  });

  it("does not happen without prefetch", async () => {
    service = await answering(page(1), page(2, true));
    const events = walk({ prefetch: false });
    await events.next();
    await events.next();
    await service.settle();
    expect(searches()).toBe(1);
    await events.return();
  });

  it("is aborted when the caller stops", async () => {
    const closed = vi.fn();
    service = await answering(page(1), (_, response) => {
      response.on("close", closed);
    });
    for await (const { event_id } of walk()) {
      expect(event_id).toBe("1a");
      await expect.poll(() => searches()).toBe(2);
      break;
    }
    await expect.poll(() => closed).toHaveBeenCalledOnce();
  });

  it("fails only when its page is needed, and then for good", async () => {
    const body = failure("request_cannot_be_parsed", "invalid pagination key");
    service = await answering(page(1), [400, body]);
    const events = walk();
    expect((await events.next()).value).toMatchObject({ event_id: "1a" });
    await service.settle();
    expect((await events.next()).value).toMatchObject({ event_id: "1b" });
    expect((await rejection(events.next())).name).toBe("PaginationKeyError");
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("may fail without an unhandled rejection if the caller stops before", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    service = await answering(page(1), [400, failure("x")]);
    const events = walk();
    await events.next();
    await expect.poll(() => searches()).toBe(2);
    await service.settle();
    await events.return();
    await service.settle();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("the signal of a read", () => {
  const REASON = new Error("changed my mind");

  it("ends it in the middle of a page", async () => {
    service = await answering(page(1), page(2, true));
    const controller = new AbortController();
    const events = walk({ signal: controller.signal });
    await events.next();
    controller.abort(REASON);
    expect(await rejection(events.next())).toBe(REASON);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("ends a page that hangs", async () => {
    service = await answering(() => undefined);
    const controller = new AbortController();
    const next = walk({ signal: controller.signal }).next();
    await expect.poll(() => searches()).toBe(1);
    controller.abort(REASON);
    expect(await rejection(next)).toBe(REASON);
  });
});
