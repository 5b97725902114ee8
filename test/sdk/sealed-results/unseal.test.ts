import { InvalidInputError } from "@devid/sdk";
import { createCipheriv, randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { seal, unseal, UnsealError } from "@devid/sdk/sealed-results";
import { describe, expect, it } from "vitest";
import { thrown } from "../workspace";
import { SEALED_VECTOR } from "./sealed-vector.js";

const bytes = (base64: string) => Buffer.from(base64, "base64");
const sealed = bytes(SEALED_VECTOR.sealed);
const { key, otherKey, inside } = SEALED_VECTOR;

const newKey = () => randomBytes(32).toString("base64");

/** Expects that an unseal fails with an UnsealError, and returns its message. */
function problem(
  given: Uint8Array,
  keys: readonly string[],
  message: RegExp,
): string {
  const error = thrown(() => unseal(given, keys));
  expect(error).toBeInstanceOf(UnsealError);
  expect(error.name).toBe("UnsealError");
  expect(error.message).toMatch(message);
  return error.message;
}

/** Seals any content, compressed or not. */
function sealBytes(content: Buffer, token: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", bytes(token), nonce);
  const text = Buffer.concat([cipher.update(content), cipher.final()]);
  const header = Buffer.from("9e85dced", "hex");
  return Buffer.concat([header, nonce, text, cipher.getAuthTag()]);
}

describe("a sealed result", () => {
  // contract: sealed-2
  it("that was published can be opened", () => {
    expect(unseal(sealed, [key])).toMatchObject(inside);
    expect(unseal(new Uint8Array(sealed), [key])).toMatchObject(inside);
  });

  // contract: sealed-3
  it("can be opened with several keys, of which one fits", () => {
    expect(unseal(sealed, [otherKey, newKey(), key])).toMatchObject(inside);
    expect(unseal(sealed, [key, otherKey])).toMatchObject(inside);
  });

  it("cannot be opened with other keys", () => {
    problem(sealed, [otherKey, newKey()], /none of 2 keys/);
    problem(sealed, [], /no key was given/);
  });

  it.each<[string, unknown, RegExp]>([
    ["undefined", undefined, /key 1 of 1 is undefined, and not base64/],
    ["null", null, /key 1 of 1 is null, and not base64/],
    ["an empty text", "", /key 1 of 1 is not base64/],
    ["bytes", bytes(key), /key 1 of 1 is not base64/],
    ["a list with a gap", [key, undefined], /key 2 of 2 is undefined/],
    // eslint-disable-next-line no-sparse-arrays
    ["a list with a hole", [, key], /key 1 of 2 is undefined/],
    ["too few bytes", [otherKey, "aW52YWxpZA=="], /key 2 of 2 is not base64/],
  ])("needs keys, which it does not show, not %s", (_, keys, expected) => {
    const message = problem(sealed, keys as string[], expected);
    expect(message).not.toContain("aW52YWxpZA");
  });

  it("can be opened with one key that is not in a list", () => {
    expect(unseal(sealed, key)).toMatchObject(inside);
  });

  it("can be given as any kind of bytes, and is refused as anything else", () => {
    const buffer = new Uint8Array(sealed).buffer;
    const shifted = new Uint8Array([0, ...sealed]).buffer;
    for (const given of [
      buffer,
      new DataView(buffer),
      new DataView(shifted, 1),
    ])
      expect(unseal(given, key)).toMatchObject(inside);
    for (const given of [undefined, null, SEALED_VECTOR.sealed, [...sealed], 5])
      problem(
        given as unknown as Uint8Array,
        [key],
        /given as bytes.*decode it first/,
      );
  });

  // contract: sealed-2
  it("cannot be opened if any of its bytes was changed", () => {
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      problem(
        changed,
        [key],
        at < 4 ? /do not begin with its header/ : /none of 1 keys/,
      );
    }
  });

  it.each([0, 3, 4, 7, 31])("of %i bytes is refused", (length) => {
    problem(
      sealed.subarray(0, length),
      [key],
      length < 4 ? /do not begin with its header/ : /cut short/,
    );
  });

  it("that is still base64 is refused with a hint", () => {
    problem(Buffer.from(SEALED_VECTOR.sealed), [key], /decode it first/);
  });

  // contract: sealed-2
  it("must contain an event", () => {
    problem(bytes(SEALED_VECTOR.noEvent), [key], /not an event/);
  });

  // contract: sealed-2
  it("must contain compressed JSON of at most the size of an event", () => {
    const event = Buffer.from('{"event_id":"1.secret","timestamp":1}');
    const huge = { event_id: "1.secret", timestamp: 1, x: "x".repeat(2e7) };
    const bomb = deflateRawSync(JSON.stringify(huge));
    for (const content of [event, deflateRawSync("1.secret{"), bomb]) {
      const wrong = sealBytes(content, key);
      const message = problem(wrong, [key], /not compressed JSON/);
      expect(message).not.toContain("secret");
    }
  });
});

describe("seal", () => {
  const event = { event_id: "1.a", timestamp: 1, linked_id: "Žofie" };
  const text = JSON.stringify(event);

  it("makes a result that only the same key can open", () => {
    const token = newKey();
    const result = seal(text, token);
    expect(unseal(result, [token])).toEqual(event);
    problem(result, [newKey()], /none of 1 keys/);
  });

  it("never makes the same bytes twice, and shows no part of the event", () => {
    const results = Array.from({ length: 20 }, () => seal(text, key));
    expect(new Set(results.map((r) => r.toString("hex"))).size).toBe(20);
    const nonces = results.map((r) => r.subarray(4, 16).toString("hex"));
    expect(new Set(nonces).size).toBe(20);
  });

  it("requires a token of 32 bytes", () => {
    expect(() => seal(text, "c2hvcnQ=")).toThrow(InvalidInputError);
  });
});
