import { camelPath } from "@devid/sdk";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  camelKeys,
  snakeKeys,
  type CamelKeys,
} from "../../../sdk/src/wire/casing";

const snakeName = fc.stringMatching(/^[a-z]{1,6}(_[a-z]{1,6}){0,3}$/);

describe("camelKeys and snakeKeys", () => {
  it("change the spelling of an object's keys and back, and nothing in its members", () => {
    const wire = fc.dictionary(snakeName, fc.jsonValue(), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(wire, (value) => {
        const camel = camelKeys(value);
        expect(Object.keys(camel).join()).not.toContain("_");
        expect(Object.values(camel)).toEqual(Object.values(value));
        expect(snakeKeys(camel)).toEqual(value);
        expect(snakeKeys(value)).toEqual(value);
      }),
    );
    expect(camelKeys({ basic_auth: { a_b: 1 } })).toEqual({
      basicAuth: { a_b: 1 },
    });
  });

  it("have the type of their result", () => {
    expectTypeOf<
      CamelKeys<{ last_rotated_at?: string; id: 1; basic_auth: { a_b: 2 } }>
    >().toEqualTypeOf<{
      lastRotatedAt?: string;
      id: 1;
      basicAuth: { a_b: 2 };
    }>();
    const { rateLimit } = camelKeys({ rate_limit: 5 });
    expectTypeOf(rateLimit).toEqualTypeOf<number>();
  });

  // The contract has this spelling.
  it.each([
    [{ rateLimit: 1, rate_limit: 2 }, 2],
    [{ rate_limit: 2, rateLimit: 1 }, 2],
    [{ rate_limit: 2, rateLimit: undefined }, 2],
    [{ rateLimit: 1, rate_limit: null }, null],
  ])("keep the snake_case member if both are given: %j", (both, kept) => {
    expect(snakeKeys(both)).toEqual({ rate_limit: kept });
  });

  it("keep a member __proto__, so that the schema refuses it by name", () => {
    const given = JSON.parse('{ "__proto__": 1 }') as object;
    expect(Object.keys(snakeKeys(given))).toEqual(["__proto__"]);
  });
});

it.each([
  ["url", "url"],
  ["limit_value", "limitValue"],
  ["rules[2].deny_with", "rules[2].denyWith"],
  ["test_request_payload.headers", "testRequestPayload.headers"],
  ["rules[0].placement.after", "rules[0].placement.after"],
  ["", ""],
])("camelPath changes %j to %j", (path, expected) => {
  expect(camelPath(path)).toBe(expected);
});
