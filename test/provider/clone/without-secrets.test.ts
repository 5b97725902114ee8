import { expect, it } from "vitest";
import { z } from "zod";
import { withoutSecrets } from "../../../provider/src/clone/read/without-secrets";
import { secret } from "../../../provider/src/definition/field";

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

it("drops what is marked as secret, at any depth, and what the schema does not know", () => {
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

it("drops what is null, as if it were absent", () => {
  expect(withoutSecrets(schema, { name: null, plain: "a" })).toEqual({
    plain: "a",
  });
});
