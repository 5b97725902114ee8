import type { Client } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { answering, failure } from "./secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;

const EVENT = {
  products: {
    identification: {
      data: { visitorId: "v1", requestId: "r 1", tag: { a_b: 1 }, new: true },
    },
    botd: { data: { bot: { result: "notDetected" } } },
    rootApps: { data: { result: false }, error: null },
    productOfTomorrow: 1,
  },
};

const request = () => {
  const received = service.received[0];
  const url = new URL(received?.path ?? "", service.url);
  return { ...received, path: url.pathname, query: [...url.searchParams] };
};

describe("the client of version 3", () => {
  it("returns an event unchanged", async () => {
    service = await answering([200, EVENT]);
    const event = await service.client.legacy.get("r 1");
    expect(JSON.stringify(event)).toBe(JSON.stringify(EVENT));
    expect(event.products.identification?.data?.visitorId).toBe("v1");
    expect(request()).toMatchObject({
      method: "GET",
      path: "/us/events/r%201",
    });
    expect(request().headers).toMatchObject({ "auth-api-key": "a-secret-key" });
    expect(request().headers).not.toHaveProperty("authorization");
  });

  it("updates with PUT, in camelCase", async () => {
    service = await answering([200, undefined]);
    const args = { linkedId: "l", tag: { a_b: 1 }, suspect: true };
    expect(await service.client.legacy.update("r1", args)).toBeUndefined();
    expect(request()).toMatchObject({ method: "PUT", path: "/us/events/r1" });
    expect(JSON.parse(request().body ?? "")).toEqual(args);
  });

  it("repeats an update until a new event can be changed", async () => {
    const notReady = [409, failure("StateNotReady")] as const;
    service = await answering(notReady, notReady, [200, undefined]);
    await service.client.legacy.update("r1", { suspect: true });
    expect(service.received).toHaveLength(3);
  });

  it("searches with the parameter names of version 3", async () => {
    service = await answering([
      200,
      { events: [EVENT], paginationKey: "next" },
    ]);
    const page = await service.client.legacy.search({
      limit: 500,
      paginationKey: "k",
      ipBlocklist: true,
      proximityPrecisionRadius: 25,
      start: "1970-01-01T00:00:01Z",
      environment: ["ae_1", "ae_2"],
    });
    expect(page).toEqual({ events: [EVENT], paginationKey: "next" });
    expect(request().path).toBe("/us/events/search");
    expect(request().query.sort()).toEqual([
      ["environment", "ae_1"],
      ["environment", "ae_2"],
      ["ip_blocklist", "true"],
      ["limit", "500"],
      ["pagination_key", "k"],
      ["proximity_precision_radius", "25"],
      ["start", "1000"],
    ]);
  });

  it("lists visits with the mixed spelling of their parameters", async () => {
    const visits = { visitorId: "v1", visits: [{ requestId: "r1" }], x: 1 };
    service = await answering([200, visits]);
    const args = {
      requestId: "r1",
      linkedId: "l",
      paginationKey: "k",
      before: 5,
    };
    expect(await service.client.legacy.visitor("v1", args)).toEqual(visits);
    expect(request().path).toBe("/us/visitors/v1");
    expect(request().query.sort()).toEqual([
      ["before", "5"],
      ["linked_id", "l"],
      ["paginationKey", "k"],
      ["request_id", "r1"],
    ]);
  });
});

describe("the errors of version 3 have the names of version 4:", () => {
  const get = ({ legacy }: Client) => legacy.get("r1");
  const search = ({ legacy }: Client) => legacy.search({ limit: 1 });
  const visitor = ({ legacy }: Client) => legacy.visitor("v1");

  it.each<[number, unknown, (client: Client) => Promise<unknown>, string]>([
    [400, failure("RequestCannotBeParsed"), get, "ValidationError"],
    [
      400,
      failure("RequestCannotBeParsed", "invalid pagination key"),
      search,
      "PaginationKeyError",
    ],
    [403, failure("TokenRequired"), get, "SecretKeyError"],
    [403, failure("TokenNotFound"), get, "SecretKeyError"],
    [403, failure("WorkspaceScopedSecretKeyRequired"), get, "SecretKeyError"],
    [403, failure("SubscriptionNotActive"), get, "SubscriptionNotActiveError"],
    [403, failure("WrongRegion"), get, "WrongRegionError"],
    [403, failure("FeatureNotEnabled"), get, "FeatureNotEnabledError"],
    [404, failure("RequestNotFound"), get, "EventNotFoundError"],
    [404, failure("VisitorNotFound"), search, "VisitorNotFoundError"],
    [404, { error: "visitor not found" }, visitor, "VisitorNotFoundError"],
    [410, "", get, "VersionEndedError"],
    [410, "", search, "VersionEndedError"],
    [410, { error: "gone" }, visitor, "VersionEndedError"],
    [429, failure("TooManyRequests"), get, "ThrottledError"],
    [429, failure("429 Too Many Requests"), get, "ThrottledError"],
    [500, failure("Failed"), get, "ServerError"],
    [504, failure("Failed"), search, "SearchTimeoutError"],
  ])("%i %j", async (status, body, call, name) => {
    service = await answering([status, body]);
    expect((await rejection(call(service.client))).name).toBe(name);
  });

  it("with the service's message, and the replacement of an ended version", async () => {
    service = await answering([410, { error: "version 3 was switched off" }]);
    expect((await rejection(visitor(service.client))).message).toSay(
      "legacy-events/switched-off",
    );
  });
});
