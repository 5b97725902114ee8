import * as wire from "@devid/sdk/wire";
import { camelKeys } from "@devid/sdk/wire";
import { z } from "zod";
import { expect, it } from "vitest";
import { fieldMeta } from "../../../provider/src/definition/field";
import {
  bodyOf,
  changesOf,
} from "../../../provider/src/definition/request-body";
import * as registry from "../../../provider/src/registry";

const Create = z.strictObject({
  name: z.string(),
  rate_limit: z.number().optional(),
});
const Update = z.strictObject({
  name: z.string().optional(),
  description: z.string().nullable().optional(),
  rate_limit: z.number().optional(),
});

it("a create sends the inputs that the service accepts and the program declares", () => {
  expect(
    bodyOf(Create, { name: "a", rateLimit: 5, description: "b" }),
  ).toStrictEqual({ name: "a", rateLimit: 5 });
  expect(bodyOf(Create, { name: "a", rateLimit: undefined })).toStrictEqual({
    name: "a",
  });
});

it("an update sends the inputs that changed, and null for a removed input", () => {
  const inputs = { name: "a", rateLimit: 5, verify: true };
  const all = new Set([...Object.keys(inputs), "description"]);
  expect(changesOf(Update, inputs, all)).toStrictEqual({
    name: "a",
    description: null,
    rateLimit: 5,
  });
  expect(changesOf(Update, inputs, new Set(["name"]))).toStrictEqual({
    name: "a",
  });
  expect(changesOf(Update, inputs, new Set(["verify"]))).toBeUndefined();
});

/** Kinds whose body follows the service's rules, not their own inputs. */
const OTHERS = ["FilteringRuleSet"];

it.each(Object.values(registry).filter(({ kind }) => !OTHERS.includes(kind)))(
  "every input of $kind is sent, or marked as not sent",
  ({ kind, inputs }) => {
    const schemas = wire as unknown as Readonly<
      Partial<Record<string, z.ZodObject>>
    >;
    // No call takes the inputs of a verification.
    const sent = Object.keys(camelKeys(schemas[`${kind}Update`]?.shape ?? {}));
    const kept = Object.entries(inputs.shape).flatMap(([name, field]) => {
      const { immutable, local, setting, references } = fieldMeta(
        field as z.ZodType,
      );
      const isPlace = references === "Environment";
      return immutable || local || setting || isPlace ? [] : [name];
    });
    expect(sent).toEqual(expect.arrayContaining(kept));
  },
);
