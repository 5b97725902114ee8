import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bare,
  bareProperties,
  containsSecret,
  containsUnknown,
  nameUnknown,
  Secret,
  UNKNOWN,
  withSecrets,
} from "../../../provider/src/definition/value";
import { anyProperties, anyValue, partsOf } from "./any-value";

const holds = (property: fc.IProperty<unknown[]> | fc.IProperty<never>) =>
  fc.assert(property as fc.IProperty<unknown[]>, { seed: 14, numRuns: 500 });

describe("a bare value", () => {
  it("has no wrapper at any depth, and is its own bare value", () => {
    holds(
      fc.property(anyValue, (value) => {
        const parts = partsOf(bare(value));
        expect(parts.some((part) => part instanceof Secret)).toBe(false);
        expect(bare(bare(value))).toEqual(bare(value));
      }),
    );
  });

  it("contains an unknown part exactly when the original does", () => {
    holds(
      fc.property(anyValue, (value) => {
        const isUnknown = partsOf(value).includes(UNKNOWN);
        expect(containsUnknown(value)).toBe(isUnknown);
        expect(partsOf(bare(value)).includes(UNKNOWN)).toBe(isUnknown);
      }),
    );
  });

  it("contains no secret, and the original is secret when any part is", () => {
    holds(
      fc.property(anyValue, (value) => {
        const isSecret = (part: unknown) => part instanceof Secret;
        expect(containsSecret(value)).toBe(partsOf(value).some(isSecret));
        expect(containsSecret(bare(value))).toBe(false);
      }),
    );
  });
});

describe("bare properties", () => {
  it("have no member that is null, and can be wrapped again, except for unknown values", () => {
    holds(
      fc.property(anyProperties, (properties) => {
        const { values, secrets } = bareProperties(properties);
        const given = Object.keys(properties).filter(
          (name) => bare(properties[name]) !== null,
        );
        expect(Object.keys(values)).toEqual(given);
        for (const [name, value] of Object.entries(properties))
          expect(secrets.has(name)).toBe(containsSecret(value));
        const again = bareProperties(withSecrets(values, secrets));
        expect(again.values).toEqual(values);
        expect([...again.secrets]).toEqual(
          [...secrets].filter(
            (name) => given.includes(name) && values[name] !== UNKNOWN,
          ),
        );
      }),
    );
  });

  it("ignore a secret mark for a name that they lack", () => {
    expect(withSecrets({ a: 1 }, ["b"])).toStrictEqual({ a: 1 });
    expect(withSecrets({ a: 1, b: UNKNOWN }, ["a", "b"])).toStrictEqual({
      a: new Secret(1),
      b: UNKNOWN,
    });
  });
});

it("unknown parts are shown in words, at every depth", () => {
  expect(nameUnknown({ a: [UNKNOWN, { b: UNKNOWN }], c: 1 })).toEqual({
    a: ["(known after the update)", { b: "(known after the update)" }],
    c: 1,
  });
});
