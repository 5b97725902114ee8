import { type Client, ServiceError } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { answering, clientAt, event, failure } from "./secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;

const get = ({ events }: Client) => events.get("e1");
const search = ({ events }: Client) => events.search();

async function errorOf(
  call: (client: Client) => Promise<unknown>,
  status: number,
  body: unknown,
): Promise<Error> {
  service = await answering([status, body]);
  const error = await rejection(call(service.client));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status });
  return error;
}

it.each<[number, string, string]>([
  [400, "request_cannot_be_parsed", "ValidationError"],
  // contract: events-21
  [400, "request_read_timeout", "ValidationError"],
  [400, "ruleset_not_found", "RulesetNotFoundError"],
  [403, "secret_api_key_required", "SecretKeyError"],
  [403, "secret_api_key_not_found", "SecretKeyError"],
  [403, "wrong_region", "WrongRegionError"],
  // contract: events-26
  [403, "subscription_not_active", "SubscriptionNotActiveError"],
  // contract: events-27
  [403, "feature_not_enabled", "FeatureNotEnabledError"],
  [403, "some_code_of_tomorrow", "ForbiddenError"],
  // contract: events-10
  [404, "event_not_found", "EventNotFoundError"],
  // contract: events-29, events-103
  [404, "visitor_not_found", "VisitorNotFoundError"],
  [404, "some_code_of_tomorrow", "EventNotFoundError"],
  // contract: events-31
  [413, "payload_too_large", "ServiceError"],
  // contract: events-16, events-32
  [429, "too_many_requests", "ThrottledError"],
  // contract: events-33, events-103
  [500, "failed", "ServerError"],
  // contract: events-10, events-33
  [504, "failed", "ServerError"],
  [400, "constructor", "ValidationError"],
  [418, "event_not_found", "EventNotFoundError"],
])(
  "an error has the name for its code: %i %s is %s",
  async (status, code, name) => {
    const error = await errorOf(get, status, failure(code));
    expect(error.name).toBe(name);
    expect(error.constructor.name).toBe(name);
    expect(error).toMatchObject({ code, detail: "a message" });
    expect(error.message).toContain(`event e1 failed: ${status} ${code}: `);
  },
);

describe("an error without a code has a name for its status and call:", () => {
  it.each<[number, (client: Client) => Promise<unknown>, string]>([
    [400, get, "ValidationError"],
    [401, get, "SecretKeyError"],
    [403, get, "ForbiddenError"],
    [404, get, "ServiceError"],
    [404, search, "ServiceError"],
    [409, get, "ConflictError"],
    [410, get, "ServiceError"],
    [429, get, "ThrottledError"],
    [502, get, "ServerError"],
    [504, get, "ServerError"],
    [504, search, "SearchTimeoutError"],
  ])("%i", async (status, call, name) => {
    const error = await errorOf(call, status, "<html>a proxy's page</html>");
    expect(error.name).toBe(name);
    expect(error.message).not.toContain("html");
    const isBlamed = error.message.includes("may come from a proxy or gateway");
    expect(isBlamed).toBe(status !== 429);
  });

  // contract: events-11
  it("with the status text as its message", async () => {
    const error = await errorOf(get, 404, "");
    expect(error.message).toContain("failed: 404: Not Found.");
  });
});

describe("the message of an error says what to do next:", () => {
  it.each<[number, string, string]>([
    [
      403,
      "secret_api_key_not_found",
      "The secret key came from test setting secretKey; it must be an enabled secret API key",
    ],
    [404, "event_not_found", "Check the ID, the region"],
    [400, "ruleset_not_found", "Rulesets are made in the service's dashboard"],
  ])("%i %s", async (status, code, hint) => {
    expect((await errorOf(get, status, failure(code))).message).toContain(hint);
  });

  // contract: events-25
  it("with the configured region and the source of the key", async () => {
    service = await answering([403, failure("wrong_region", "wrong region")]);
    const client = clientAt(service.url, { region: "eu" });
    expect((await rejection(get(client))).message).toSay("events/wrong-region");
  });
});

// contract: events-12
it.each(["invalid pagination key", "pagination_key: invalid pagination key"])(
  "the error for an invalid pagination key differs from other bad requests: %s",
  async (message) => {
    const body = failure("request_cannot_be_parsed", message);
    const error = await errorOf(search, 400, body);
    expect(error.name).toBe("PaginationKeyError");
    expect(error.message).toContain("Start again at the first page");
  },
);

describe("a search that ran out of time", () => {
  // contract: events-18, limits-4, limits-5
  it("is not repeated, and the message says how to narrow the search", async () => {
    const body = failure("failed", "gateway timeout");
    const error = await errorOf(search, 504, body);
    expect(error.message).toSay("events/search-timed-out");
    expect(service.received).toHaveLength(1);
  });

  it("differs from a read of an event that ran out of time, which is repeated", async () => {
    service = await answering([504, failure("failed")], [200, event("e1")]);
    expect(await get(service.client)).toEqual(event("e1"));
    expect(service.received).toHaveLength(2);
  });
});

it.each<[string, (client: Client) => Promise<unknown>, number]>([
  // contract: events-16
  ["a search", search, 429],
  // contract: events-17
  ["an event", get, 500],
  ["an update", ({ events }) => events.update("e1", {}), 503],
])("a temporary failure is repeated: %s after %i", async (_, call, status) => {
  service = await answering(
    [status, failure("x", "too many search requests")],
    [200, { ...event("e1"), events: [] }],
  );
  await call(service.client);
  expect(service.received).toHaveLength(2);
});
