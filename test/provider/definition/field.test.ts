import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  fieldMeta,
  fieldsMarked,
  immutable,
  managedIfSet,
  revealOnce,
  secret,
  unwrap,
} from "../../../provider/src/definition/field";

describe("a mark of a field", () => {
  it.each([
    ["optional", secret(z.string()).optional()],
    ["nullable", secret(z.string()).nullable()],
    ["default", secret(z.string()).default("x")],
    ["describe", secret(z.string()).describe("x")],
    ["a check", secret(z.string()).min(3)],
    ["all of them", secret(z.string()).optional().describe("x").default("y")],
  ])("survives %s", (_, field) => {
    expect(fieldMeta(field)).toEqual({ secret: true });
  });

  it("is added to earlier marks", () => {
    const field = immutable(managedIfSet(z.string()).optional()).describe("x");
    expect(fieldMeta(field)).toEqual({ immutable: true, managedIfSet: true });
    expect(fieldMeta(revealOnce(secret(z.string())))).toEqual({
      secret: true,
      revealOnce: true,
    });
  });

  it("does not change the schema that it was applied to", () => {
    const shared = z.string();
    immutable(shared);
    expect(fieldMeta(shared)).toEqual({});
  });

  it("is found by name, also in an extended object", () => {
    const inputs = z.object({ a: immutable(z.string()), b: z.string() });
    const outputs = inputs.extend({ c: secret(z.string()).optional() });
    expect(fieldsMarked(outputs, "immutable")).toEqual(["a"]);
    expect(fieldsMarked(outputs, "secret")).toEqual(["c"]);
    expect(fieldsMarked(inputs, "secret")).toEqual([]);
  });
});

it("unwraps a field to its inner schema", () => {
  const inner = z.array(z.string());
  expect(unwrap(inner.optional().default([]).nullable())).toBe(inner);
});
