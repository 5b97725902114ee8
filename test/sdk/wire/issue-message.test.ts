import { issueMessage } from "@devid/sdk/wire";
import { expect, it } from "vitest";
import { z } from "zod";

it.each([
  [z.string(), undefined, "is required"],
  [z.enum(["a", "b"]), undefined, "is required"],
  [z.number(), undefined, "is required"],
  [z.string(), 1, "must be a text"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.object({}), null, "must be an object"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(3), "ab", "must have at least 3 characters"],
  [z.string().max(3), "abcd", "must have at most 3 characters"],
  [z.array(z.string()).min(1), [], "must not be empty"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 item"],
  [z.array(z.string()), { a: 1 }, "must be a list"],
  [z.number().positive(), 0, "must be above 0"],
  [z.int().max(9), 10, "must be at most 9"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.record(z.string(), z.string()), [], "must be an object"],
  [z.literal("a"), "b", "must be a"],
  [z.strictObject({}), { b: 1, c: 2 }, "b, c are not known"],
  [z.string("is what a schema says"), 1, "is what a schema says"],
  [z.string().regex(/a/), "b", "Invalid string: must match pattern /a/"],
])(
  "a message says in plain words what a value must be, and never shows the value: %#",
  (schema, value, message) => {
    const { error } = schema.safeParse(value, { error: issueMessage });
    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
  },
);
