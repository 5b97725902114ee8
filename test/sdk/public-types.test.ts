import type {
  ApiKey,
  Client,
  ClientOptions,
  DevidError,
  EncryptionKey,
  FilteringRule,
  Page,
  Region,
  RequestInfo,
  Rule,
  SettingName,
  Webhook,
} from "@devid/sdk";
import { NotFoundError } from "@devid/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";

// Checked by the compiler; what runs beside it holds the names together.
describe("the types of the surface", () => {
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

  it("take what the contract takes, and nothing else", () => {
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

  it("of lists and rules are what they hold", () => {
    expectTypeOf<Client["webhooks"]["list"]>().returns.resolves.toEqualTypeOf<
      Page<Webhook>
    >();
    expectTypeOf<ReturnType<Client["webhooks"]["listAll"]>>().toExtend<
      AsyncIterable<Webhook>
    >();
    expectTypeOf<Rule["status"]>().toEqualTypeOf<"enabled" | "disabled">();
    expectTypeOf<Region>().toEqualTypeOf<"us" | "eu" | "ap">();
    expectTypeOf<"managementKey">().toExtend<SettingName>();
    expectTypeOf<
      Parameters<NonNullable<ClientOptions["onRequest"]>>[0]
    >().toEqualTypeOf<RequestInfo>();
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
  });
});
