import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  containsUnknownText,
  UNKNOWN_TEXT,
} from "../../../provider/src/definition/engine-names";
import {
  fromHost,
  SECRET_INPUTS,
  toHost,
} from "../../../provider/src/definition/host-protocol";
import {
  bareProperties,
  containsUnknown,
  Secret,
  UNKNOWN,
} from "../../../provider/src/definition/value";
import { anyProperties, partsOf } from "./any-value";

const holds = (property: fc.IPropertyWithHooks<[Record<string, unknown>]>) =>
  fc.assert(property, { seed: 14, numRuns: 500 });

describe("properties in the host's protocol", () => {
  it("are plain JSON, and are read back with the same secrets and unknown parts, at every depth", () => {
    holds(
      fc.property(anyProperties, (properties) => {
        const sent = toHost(properties);
        expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
        expect(containsUnknownText(sent)).toBe(containsUnknown(properties));
        const { values, secrets } = bareProperties(properties);
        const back = bareProperties(
          fromHost({ ...sent, [SECRET_INPUTS]: [...secrets] }),
        );
        expect(back.values).toEqual(values);
        expect(back.secrets).toEqual(secrets);
      }),
    );
  });

  it("contain no internal marker for secrets or unknown values", () => {
    holds(
      fc.property(anyProperties, (properties) => {
        const isOurs = (part: unknown) =>
          part === UNKNOWN || part instanceof Secret;
        expect(partsOf(toHost(properties)).some(isOurs)).toBe(false);
      }),
    );
  });

  it("reach the lifecycle without the properties of the engine and of the class", () => {
    const sent = {
      __provider: "exports.handler = ...",
      [SECRET_INPUTS]: ["url"],
      url: "https://shop.example/hook",
      rules: [{ name: "a", expression: UNKNOWN_TEXT }],
    };
    expect(fromHost(sent)).toStrictEqual({
      url: new Secret("https://shop.example/hook"),
      rules: [{ name: "a", expression: UNKNOWN }],
    });
  });
});
