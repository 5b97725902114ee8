import { describe, expect, it } from "vitest";
import { z } from "zod";
import { secret } from "../../provider/src/definition/field";
import {
  holdsSecret,
  mapSecrets,
} from "../../provider/src/definition/map-secrets";

const Key = z.object({
  id: z.string(),
  token: secret(z.string()).nullish().describe("The key."),
});
const wrap = (value: unknown) => ({ secret: value });

describe("what a schema marks as secret", () => {
  it("is wrapped in objects, lists and under optional fields", () => {
    const schema = z
      .object({ keys: z.array(Key).optional(), first: Key.nullable() })
      .describe("All keys.");
    const value = {
      keys: [{ id: "1", token: "a" }, { id: "2" }, { id: "3", token: null }],
      first: { id: "1", token: "a" },
      more: "kept",
    };
    expect(mapSecrets(schema, value, wrap)).toEqual({
      keys: [
        { id: "1", token: { secret: "a" } },
        { id: "2" },
        { id: "3", token: null },
      ],
      first: { id: "1", token: { secret: "a" } },
      more: "kept",
    });
  });

  it("is wrapped as a whole where a form of a union, or a record, holds it", () => {
    const form = z.union([z.string(), Key]);
    expect(mapSecrets(form, "plain", wrap)).toEqual({ secret: "plain" });
    const record = z.record(z.string(), Key);
    const value = { a: { id: "1", token: "a" } };
    expect(mapSecrets(record, value, wrap)).toEqual({ secret: value });
  });

  it("leaves a value without secrets as it is, the same object", () => {
    const plain = z.object({ id: z.string(), list: z.array(z.unknown()) });
    const value = { id: "1", list: [] };
    expect(mapSecrets(plain, value, wrap)).toBe(value);
    expect(holdsSecret(plain)).toBe(false);
    expect(holdsSecret(z.array(Key).optional())).toBe(true);
  });
});
