import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  containsUnknownText,
  fromWire,
  SECRET_INPUTS,
  toWire,
  UNKNOWN_TEXT,
} from "../../../../provider/src/adapters/dynamic/wire";
import {
  bareProperties,
  containsUnknown,
  OutputValue,
  Secret,
  UNKNOWN,
} from "../../../../provider/src/definition/value";
import { anyProperties, partsOf } from "../../definition/any-value";

const holds = (property: fc.IPropertyWithHooks<[Record<string, unknown>]>) =>
  fc.assert(property, { seed: 14, numRuns: 500 });

describe("properties on the wire", () => {
  it("are plain JSON, and come back with what is secret and unknown in them, at every depth", () => {
    holds(
      fc.property(anyProperties, (properties) => {
        const wire = toWire(properties);
        expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
        expect(containsUnknownText(wire)).toBe(containsUnknown(properties));
        const { values, secrets } = bareProperties(properties);
        const back = bareProperties(
          fromWire({ ...wire, [SECRET_INPUTS]: [...secrets] }),
        );
        expect(back.values).toEqual(values);
        expect(back.secrets).toEqual(secrets);
      }),
    );
  });

  it("hold nothing of ours", () => {
    holds(
      fc.property(anyProperties, (properties) => {
        const isOurs = (part: unknown) =>
          part === UNKNOWN ||
          part instanceof Secret ||
          part instanceof OutputValue;
        expect(partsOf(toWire(properties)).some(isOurs)).toBe(false);
      }),
    );
  });

  it("reach the lifecycle without those of the engine and of the class", () => {
    const wire = {
      __provider: "exports.handler = ...",
      [SECRET_INPUTS]: ["url"],
      url: "https://shop.example/hook",
      rules: [{ name: "a", expression: UNKNOWN_TEXT }],
    };
    expect(fromWire(wire)).toStrictEqual({
      url: new Secret("https://shop.example/hook"),
      rules: [{ name: "a", expression: UNKNOWN }],
    });
  });
});
