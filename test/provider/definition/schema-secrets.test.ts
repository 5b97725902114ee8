import { expect, it } from "vitest";
import { z } from "zod";
import { secret } from "../../../provider/src/definition/field";
import {
  holdsSecret,
  withoutSecrets,
} from "../../../provider/src/definition/schema-secrets";

it("a schema holds a secret if a part of it, at any depth, is marked", () => {
  const Key = z.object({ token: secret(z.string()).nullish() });
  const plain = z.object({ id: z.string(), list: z.array(z.unknown()) });
  expect(holdsSecret(plain)).toBe(false);
  for (const one of [
    z.array(Key).optional(),
    z.union([z.string(), Key]),
    z.record(z.string(), Key),
  ])
    expect(holdsSecret(one)).toBe(true);
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
