import {
  NotFoundError,
  SearchTimeoutError,
  type ApiKey,
  type Client,
  type DevidError,
  type DeviceReputation,
  type EncryptionKey,
  type Event,
  type FilteringRule,
  type Webhook,
} from "@devid/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";

// The compiler checks these types. At run time, the tests only give them names.
describe("the public types", () => {
  it("are in camelCase, with open enumerations", () => {
    expectTypeOf<ApiKey["rateLimit"]>().toEqualTypeOf<
      number | null | undefined
    >();
    expectTypeOf<ApiKey>().not.toHaveProperty("rate_limit");
    expectTypeOf<"secret">().toExtend<ApiKey["type"]>();
    expectTypeOf<string>().toExtend<ApiKey["type"]>();
    expectTypeOf<EncryptionKey>().toHaveProperty("nextToken");
    expectTypeOf<FilteringRule>().toHaveProperty("denyWith");
    expectTypeOf<Webhook>().toHaveProperty("signingKey");
  });

  it("accept what the contract accepts, and nothing else", () => {
    type Create = Parameters<Client["apiKeys"]["create"]>[0];
    expectTypeOf<{ type: "secret"; name: string }>().toExtend<Create>();
    expectTypeOf<{ type: "root"; name: string }>().not.toExtend<Create>();
    expectTypeOf<Create>().not.toHaveProperty("rateLimit");
    type Change = Parameters<Client["apiKeys"]["update"]>[1];
    expectTypeOf<{ rateLimit: number; description: null }>().toExtend<Change>();
    type Test = Parameters<Client["filteringRules"]["test"]>[0];
    expectTypeOf<NonNullable<Test["rules"]>[number]>().toHaveProperty(
      "denyWith",
    );
    expectTypeOf<NonNullable<Test["rules"]>[number]>().not.toHaveProperty(
      "deny_with",
    );
    type Request = { testRequestPayload: { userAgent: string } };
    expectTypeOf<Request & { environment: string }>().toExtend<Test>();
    expectTypeOf<Request & { rules: [] }>().toExtend<Test>();
    expectTypeOf<Request>().not.toExtend<Test>();
    expectTypeOf<
      Request & { rules: []; environment: string }
    >().not.toExtend<Test>();
  });

  it("of events have the service's own form", () => {
    expectTypeOf<Event["event_id"]>().toEqualTypeOf<string>();
    expectTypeOf<Event["timestamp"]>().toEqualTypeOf<number>();
    expectTypeOf<Event["vpn"]>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<"bad">().toExtend<Event["bot"]>();
    expectTypeOf<string>().toExtend<Event["bot"]>();
    expectTypeOf<Event["signal_of_tomorrow"]>().toBeUnknown();
    type Identified = NonNullable<Event["identification"]>;
    expectTypeOf<Identified["visitor_id"]>().toEqualTypeOf<string | null>();
    type Country = NonNullable<
      DeviceReputation["regionalActivity"]
    >["countries"][number];
    expectTypeOf<Country["code"]>().toEqualTypeOf<string>();
  });

  it("of a search follow the table of parameters", () => {
    type Search = NonNullable<Parameters<Client["events"]["search"]>[0]>;
    expectTypeOf<Search["start"]>().toEqualTypeOf<
      Date | string | number | undefined
    >();
    expectTypeOf<Search["bot"]>().toEqualTypeOf<
      "all" | "good" | "bad" | "none" | undefined
    >();
    expectTypeOf<Search["environment"]>().toEqualTypeOf<
      readonly string[] | undefined
    >();
    expectTypeOf<Search["botInfoConfidence"]>().toEqualTypeOf<
      readonly ("low" | "medium" | "high")[] | undefined
    >();
    expectTypeOf<Search>().not.toHaveProperty("visitor_id");
    type All = NonNullable<Parameters<Client["events"]["searchAll"]>[0]>;
    expectTypeOf<All>().not.toHaveProperty("totalHits");
  });

  it("of errors have a literal name", () => {
    expectTypeOf<NotFoundError["name"]>().toExtend<string>();
    expectTypeOf<NotFoundError>().toExtend<DevidError>();
    const error = new NotFoundError({
      operation: "x",
      status: 404,
      detail: "y",
    });
    expect(Object.keys(error)).toContain("name");
    expect(error.name).toBe("NotFoundError");
    expectTypeOf<
      SearchTimeoutError["name"]
    >().toEqualTypeOf<"SearchTimeoutError">();
    expect(SearchTimeoutError.prototype).toBeInstanceOf(Error);
  });
});
