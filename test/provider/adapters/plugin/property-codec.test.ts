import fc from "fast-check";
import {
  Struct,
  type JavaScriptValue,
} from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, it } from "vitest";
import {
  fromStruct,
  toStruct,
} from "../../../../provider/src/adapters/plugin/property-codec";
import {
  containsSecret,
  Secret,
  UNKNOWN,
  type Properties,
} from "../../../../provider/src/definition/value";
import { secret, UNKNOWN_TEXT } from "../../../helpers/plugin-host";
import { anyProperties } from "../../definition/any-value";

const holds = <T>(property: fc.IPropertyWithHooks<[T]>) =>
  fc.assert(property, { numRuns: 500 });

/** Properties as they arrive at the other end of a connection. */
const sent = (struct: Struct) =>
  Struct.deserializeBinary(struct.serializeBinary());

const wire = (value: unknown) =>
  Struct.fromJavaScript(value as Record<string, JavaScriptValue>);

const decoded = (value: unknown) => fromStruct(wire(value));
const encoded = (properties: Record<string, unknown>) =>
  toStruct(properties).toJavaScript();

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";

describe("values of the lifecycle", () => {
  it("are decoded as they were encoded, with secrets and unknown parts at every depth", () => {
    holds(
      fc.property(anyProperties, (properties) => {
        expect(fromStruct(sent(toStruct(properties)))).toEqual(properties);
      }),
    );
  });

  it("are marked secret for the engine exactly where they hold a secret", () => {
    const isSecret = (value: unknown): boolean => {
      if (typeof value !== "object" || value === null) return false;
      const { [SIGNATURE]: signature, ...members } = value as Properties;
      return signature === SECRET || Object.values(members).some(isSecret);
    };
    holds(
      fc.property(anyProperties, (properties) => {
        for (const [name, value] of Object.entries(encoded(properties)))
          expect(isSecret(value)).toBe(containsSecret(properties[name]));
      }),
    );
  });

  it("lose undefined members, and keep a secret without a value", () => {
    expect(
      encoded({ a: undefined, b: { c: undefined }, d: new Secret(undefined) }),
    ).toEqual({ b: {}, d: secret(null) });
  });

  it("cannot pose as a secret or an asset, although a visitor chooses the content of an event", () => {
    expect(
      encoded({ tag: { [SIGNATURE]: "anything", value: "mine" } }),
    ).toEqual({ tag: { value: "mine" } });
  });
});

describe("values of the engine", () => {
  it("are unknown when they hold any of the engine's placeholder texts, at every depth", () => {
    const texts = [
      "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
      "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
      "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
      "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
      "030794c1-ac77-496b-92df-f27374a8bd58",
      "e48ece36-62e2-4504-bad9-02848725956a",
      "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    ];
    for (const text of texts) {
      const found = decoded({ a: text, b: [{ c: secret([text]) }] });
      expect(found).toEqual({
        a: UNKNOWN,
        b: [{ c: new Secret([UNKNOWN]) }],
      });
      expect(encoded(found)).toEqual({
        a: UNKNOWN_TEXT,
        b: [{ c: secret([UNKNOWN_TEXT]) }],
      });
    }
  });

  it("of an output become its value, or unknown when it has none", () => {
    const output = (members: object) => ({
      [SIGNATURE]: OUTPUT,
      ...members,
    });
    const found = decoded({
      a: output({ value: 1, dependencies: ["urn:a"] }),
      b: output({ secret: true }),
    });
    expect(found).toEqual({ a: 1, b: new Secret(UNKNOWN) });
  });

  it("become the ID of a resource that is passed as a value, unknown before the resource exists", () => {
    const resource = (members: object) => ({
      [SIGNATURE]: RESOURCE,
      urn: "urn:r",
      ...members,
    });
    expect(
      decoded({
        made: resource({ id: "ae_1" }),
        planned: resource({ id: UNKNOWN_TEXT }),
        empty: resource({ id: "" }),
        component: resource({}),
      }),
    ).toEqual({
      made: "ae_1",
      planned: UNKNOWN,
      empty: UNKNOWN,
      component: "urn:r",
    });
  });

  it("of an asset become its members, which no input takes", () => {
    const file = { hash: "h", path: "rules.yaml" };
    expect(decoded({ file: { [SIGNATURE]: ASSET, ...file } })).toEqual({
      file,
    });
  });

  it("lose the engine's own properties", () => {
    expect(decoded({ __provider: "x", __defaults: [], url: "u" })).toEqual({
      url: "u",
    });
  });

  it("are refused when their signature is unknown to this version", () => {
    expect(() => decoded({ a: { [SIGNATURE]: "new" } })).toSay(
      "plugin/signature-of-a-newer-engine",
    );
  });
});
