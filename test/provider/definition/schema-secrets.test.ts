import { describe, expect, it } from "vitest";
import { z } from "zod";
import { secret } from "../../../provider/src/definition/field";
import {
  holdsSecret,
  mapSecrets,
  withoutSecrets,
} from "../../../provider/src/definition/schema-secrets";

const Key = z.object({
  id: z.string(),
  token: secret(z.string()).nullish().describe("The key."),
});
const wrap = (value: unknown) => ({ secret: value });

describe("a field that a schema marks as secret", () => {
  it("is wrapped inside objects, lists and optional fields", () => {
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

  it("makes the whole value secret when a union or a record holds it", () => {
    const form = z.union([z.string(), Key]);
    expect(mapSecrets(form, "plain", wrap)).toEqual({ secret: "plain" });
    const record = z.record(z.string(), Key);
    const value = { a: { id: "1", token: "a" } };
    expect(mapSecrets(record, value, wrap)).toEqual({ secret: value });
  });

  it("returns a value without secrets as the same object", () => {
    const plain = z.object({ id: z.string(), list: z.array(z.unknown()) });
    const value = { id: "1", list: [] };
    expect(mapSecrets(plain, value, wrap)).toBe(value);
    expect(holdsSecret(plain)).toBe(false);
    expect(holdsSecret(z.array(Key).optional())).toBe(true);
  });
});

const schema = z.object({
  name: z.string().optional(),
  token: secret(z.string()).optional(),
  keys: z.array(z.object({ id: z.string(), key: secret(z.string()) })),
  byName: z.record(z.string(), z.object({ pin: secret(z.string()).nullish() })),
  either: z
    .union([z.string(), z.object({ pin: secret(z.string()) })])
    .optional(),
  plain: z.union([z.string(), z.array(z.string())]),
  anything: z.unknown(),
});

it("drops fields that are marked as secret, at any depth, and fields that the schema does not know", () => {
  expect(
    withoutSecrets(schema, {
      name: "shop",
      token: "canary",
      keys: [{ id: "1", key: "canary", note: "canary" }],
      byName: { one: { pin: "canary" } },
      either: "canary",
      plain: ["a", "b"],
      anything: { within: "canary" },
      unknown: "canary",
    }),
  ).toEqual({
    name: "shop",
    keys: [{ id: "1" }],
    byName: { one: {} },
    plain: ["a", "b"],
  });
});

it("drops null fields, as if they were absent", () => {
  expect(withoutSecrets(schema, { name: null, plain: "a" })).toEqual({
    plain: "a",
  });
});
