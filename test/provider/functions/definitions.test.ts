import * as devid from "@devid/pulumi";
import type {
  DeviceReputation,
  Environment,
  EventSearchAllArgs,
} from "@devid/sdk";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { FunctionDefinition } from "../../../provider/src/definition/define-function";
import { unwrap } from "../../../provider/src/definition/field";
import { holdsSecret } from "../../../provider/src/definition/schema-secrets";
import * as functions from "../../../provider/src/functions";

const all = Object.entries(functions) as unknown as [
  string,
  FunctionDefinition,
][];

describe("every data source", () => {
  it.each(all)("%s describes itself and its arguments", (_, source) => {
    expect(source.description).toMatch(/^[A-Z].*\.$/);
    for (const [arg, field] of Object.entries(source.args.shape))
      expect((field as z.ZodType).description, arg).toMatch(/\.$/);
  });

  it.each(all)("%s answers an object without secrets", (_, { result }) => {
    expect(unwrap(result)).toBeInstanceOf(z.core.$ZodObject);
    expect(holdsSecret(result)).toBe(false);
  });
});

it("definitions of data sources and of the configuration import nothing from Pulumi", () => {
  const root = resolve(__dirname, "../../../provider/src");
  const files = [
    ...readdirSync(join(root, "functions")).map((name) => `functions/${name}`),
    ...["configuration", "define-function", "find-one", "schema-secrets"].map(
      (name) => `definition/${name}.ts`,
    ),
  ];
  for (const file of files)
    expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(
      /@pulumi\/|adapters\//,
    );
});

describe("types for programs", () => {
  it("accept the filters of an SDK search", () => {
    type Filters = Omit<EventSearchAllArgs, "limit" | "paginationKey">;
    expectTypeOf<Filters>().toExtend<devid.GetEventsArgs>();
    type Given = Omit<devid.GetEventsArgs, "maxEvents" | "totalHits">;
    expectTypeOf<Given>().toExtend<Filters>();
  });

  it("return types that fit the records of the SDK", () => {
    expectTypeOf<devid.EnvironmentResult>().toExtend<Environment>();
    expectTypeOf(
      devid.getDeviceReputation,
    ).returns.resolves.toEqualTypeOf<DeviceReputation>();
  });
});
