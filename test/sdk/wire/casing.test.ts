import { camelPath } from "@devid/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  camelKeys,
  snakeKeys,
  type CamelKeys,
} from "../../../sdk/src/wire/casing";

describe("camelKeys", () => {
  it("changes the spelling of an object's keys, but not of nested keys", () => {
    expect(
      camelKeys({
        id: 1,
        rate_limit: 5,
        last_rotated_at: null,
        basic_auth: { user_name: "x" },
      }),
    ).toEqual({
      id: 1,
      rateLimit: 5,
      lastRotatedAt: null,
      basicAuth: { user_name: "x" },
    });
  });

  it("has the type of its result", () => {
    expectTypeOf<
      CamelKeys<{ last_rotated_at?: string; id: 1; basic_auth: { a_b: 2 } }>
    >().toEqualTypeOf<{
      lastRotatedAt?: string;
      id: 1;
      basicAuth: { a_b: 2 };
    }>();
    const { rateLimit } = camelKeys({ rate_limit: 5 });
    expectTypeOf(rateLimit).toEqualTypeOf<number>();
    expect(rateLimit).toBe(5);
  });
});

describe("snakeKeys", () => {
  it("changes the spelling of an object's keys, but not of nested keys", () => {
    expect(
      snakeKeys({
        id: 1,
        rateLimit: 5,
        testRequestPayload: { userAgent: "x" },
        limit_mode: "none",
      }),
    ).toEqual({
      id: 1,
      rate_limit: 5,
      test_request_payload: { userAgent: "x" },
      limit_mode: "none",
    });
  });

  it.each([
    [{ rateLimit: 1, rate_limit: 2 }],
    [{ rate_limit: 2, rateLimit: 1 }],
    [{ rate_limit: 2, rateLimit: undefined }],
  ])("keeps the snake_case member if both spellings are given: %j", (both) => {
    expect(snakeKeys(both)).toEqual({ rate_limit: 2 });
  });

  it("keeps the snake_case member even if it is null, because the contract has this spelling", () => {
    expect(snakeKeys({ disabledAt: "2030", disabled_at: null })).toEqual({
      disabled_at: null,
    });
  });

  it("reverses camelKeys", () => {
    const wire = { id: 1, last_disabled_at: 2, url: 3 };
    expect(snakeKeys(camelKeys(wire))).toEqual(wire);
  });
});

describe("camelPath", () => {
  it.each([
    ["url", "url"],
    ["limit_value", "limitValue"],
    ["rules[2].deny_with", "rules[2].denyWith"],
    ["test_request_payload.headers", "testRequestPayload.headers"],
    ["rules[0].placement.after", "rules[0].placement.after"],
    ["", ""],
  ])("changes %j to %j", (path, expected) => {
    expect(camelPath(path)).toBe(expected);
  });
});
