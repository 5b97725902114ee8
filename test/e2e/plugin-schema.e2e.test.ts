import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UserShell } from "../helpers/user-shell";

const PROVIDER = resolve(__dirname, "../../provider");

let shell: UserShell;

beforeAll(async () => {
  shell = await UserShell.open({});
});

afterAll(() => shell.close());

it("the engine reads the plugin's schema without a warning, and keeps all of it", async () => {
  const plugin = resolve(PROVIDER, "bin/pulumi-resource-devid");
  const read = await shell.run(`pulumi package get-schema ${plugin}`);
  // The engine prints warnings beside the schema.
  expect(read.text).toBe(read.stdout);
  expect(read.code).toBe(0);
  const bound = JSON.parse(read.stdout) as Schema;
  const file = readFileSync(resolve(PROVIDER, "schema.json"), "utf8");
  expect(shape(bound)).toEqual(shape(JSON.parse(file) as Schema));
});

interface Schema {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly types: object;
  readonly functions: object;
}

interface Resource {
  readonly properties: object;
  readonly inputProperties: object;
  readonly aliases: unknown;
}

/** The parts of an SDK, sorted. */
const shape = ({ resources, types, functions }: Schema) => ({
  types: Object.keys(types).sort(),
  functions: Object.keys(functions).sort(),
  resources: Object.entries(resources)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([token, { properties, inputProperties, aliases }]) => ({
      token,
      properties,
      inputProperties,
      aliases,
    })),
});
