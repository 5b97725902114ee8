import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { describe, expect, it } from "vitest";
import type { ResourceDefinition } from "../../../provider/src/definition/define-resource";
import {
  NamedTypes,
  packageSchema,
} from "../../../provider/src/generate/package-schema";
import { properties } from "../../../provider/src/definition/field";
import { folderForTests } from "../../helpers/test-folder";
import * as registry from "../../../provider/src/registry";

type Spec = Readonly<Record<string, unknown>>;
type Specs = Readonly<Record<string, Spec>>;

interface PackageSchema {
  readonly config: { readonly variables: Specs };
  readonly provider: { readonly inputProperties: Specs };
  readonly types: Specs;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly properties: Specs;
        readonly inputProperties: Specs;
        readonly requiredInputs: readonly string[];
        readonly required: readonly string[];
        readonly aliases: readonly { readonly type: string }[];
      }
    >
  >;
  readonly functions: Readonly<
    Record<
      string,
      {
        readonly inputs: { readonly properties: Specs };
        readonly outputs: { readonly properties: Specs };
      }
    >
  >;
}

const PROVIDER = resolve(__dirname, "../../../provider");
const text = readFileSync(resolve(PROVIDER, "schema.json"), "utf8");
const schema = JSON.parse(text) as PackageSchema;
const kinds = Object.values(registry) as unknown as ResourceDefinition[];

const resource = (kind: string) => {
  const found = schema.resources[`devid:index:${kind}`];
  if (!found) throw new Error(`The schema has no ${kind}.`);
  return found;
};

const type = (name: string) => schema.types[`devid:index:${name}`];

describe("resources", () => {
  it.each(kinds.map((definition) => [definition.kind, definition] as const))(
    "%s has each field, with its marks, and the alias of the dynamic resource",
    (kind, { inputs, outputs, fileInput }) => {
      const spec = resource(kind);
      expect(Object.keys(spec.inputProperties)).toEqual([
        ...Object.keys(inputs.shape),
        ...(fileInput ? [fileInput.name] : []),
      ]);
      expect(Object.keys(spec.properties)).toEqual(
        Object.keys(properties(outputs).shape),
      );
      for (const [name, { description }] of Object.entries(spec.properties))
        expect(description, name).toBeTruthy();
      expect(spec.aliases).toEqual([
        { type: `pulumi-nodejs:dynamic/devid:${kind}` },
      ]);
    },
  );

  it("secrets are marked, and so are inputs whose change replaces", () => {
    expect(resource("ApiKey").properties.token).toMatchObject({
      type: "string",
      secret: true,
    });
    expect(resource("ApiKey").inputProperties.type).toMatchObject({
      $ref: "#/types/devid:index:ApiKeyType",
      replaceOnChanges: true,
    });
    expect(resource("Webhook").properties.basicAuth).toMatchObject({
      $ref: "pulumi.json#/Any",
      secret: true,
    });
  });
});

describe("settings", () => {
  it("have their environment variables, but a provider's keys have none, because an explicit provider chooses by its region", () => {
    const { variables } = schema.config;
    expect(variables.managementKey).toMatchObject({
      secret: true,
      defaultInfo: { environment: ["DEVID_MANAGEMENT_KEY"] },
    });
    expect(variables.requestsPerSecond).toMatchObject({
      type: "number",
      default: 5,
      defaultInfo: { environment: ["DEVID_REQUESTS_PER_SECOND"] },
    });
    const { inputProperties } = schema.provider;
    expect(inputProperties.managementKey).toEqual({
      description: expect.stringContaining("`DEVID_MANAGEMENT_KEY`.") as string,
      type: "string",
      secret: true,
    });
    expect(inputProperties.endpoint).toMatchObject({
      defaultInfo: { environment: ["DEVID_ENDPOINT"] },
    });
    // The engine refuses an empty list of variables.
    for (const settings of [variables, inputProperties])
      expect(settings.overrides).not.toHaveProperty("defaultInfo");
  });

  it("have no default in the schema when they are a choice, because the generated Go code would not compile", () => {
    for (const settings of [
      schema.config.variables,
      schema.provider.inputProperties,
    ]) {
      expect(settings.region).toEqual({
        description: expect.stringContaining(
          "`DEVID_REGION`, otherwise `us`.",
        ) as string,
        $ref: "#/types/devid:index:Region",
      });
      expect(settings.eventsRequestsPerSecond).not.toHaveProperty("default");
    }
  });
});

describe("types", () => {
  it("every reference leads to a type, and every type is referenced", () => {
    const found = new Set(
      [...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, token]) => token),
    );
    expect([...found].sort()).toEqual(Object.keys(schema.types).sort());
  });

  it("choices are types, with values named as programs name them", () => {
    expect(type("Status")).toEqual({
      type: "string",
      enum: [{ value: "enabled" }, { value: "disabled" }],
    });
  });

  it("no two types have the same name, ignoring case", () => {
    const names = Object.keys(schema.types).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    const types = new NamedTypes();
    const place = z.object({ seat: z.object({ row: z.string() }) });
    types.objectOf(place, "Train", "input");
    types.objectOf(place, "train", "output");
    expect(Object.keys(types.specs)).toEqual(["devid:index:TrainSeat"]);
    const other = z.object({ seat: z.object({ row: z.number() }) });
    expect(() => types.objectOf(other, "Train", "input")).toSay(
      "schema/two-types-of-a-name",
    );
  });

  it("an optional field has the description of its values", () => {
    const at = z.string().describe("Where.").optional();
    const { properties } = new NamedTypes().objectOf(
      z.object({ at }),
      "Train",
      "input",
    );
    expect(properties).toEqual({
      at: { type: "string", description: "Where." },
    });
  });

  it("the generator stops at a schema that it has no type for", () => {
    const schema = z.object({ at: z.map(z.string(), z.string()) });
    expect(() => new NamedTypes().objectOf(schema, "Train", "input")).toSay(
      "schema/no-type",
    );
  });
});

const root = folderForTests();

it("says where the package is found, once its address is known", () => {
  const schemaFor = (url: string) => {
    const manifest = { version: "1.2.3", license: "MIT", repository: { url } };
    const path = join(root, "provider/package.json");
    mkdirSync(join(root, "provider"), { recursive: true });
    writeFileSync(path, JSON.stringify(manifest));
    return JSON.parse(packageSchema(root, [], [])) as Spec;
  };
  const address = "https://code.example/shop/devid";
  expect(schemaFor(`git+${address}.git`)).toMatchObject({
    publisher: "devid",
    repository: address,
    homepage: address,
    logoUrl: expect.stringMatching(/\/icon\.svg$/) as string,
    pluginDownloadURL: `${address}/releases/download/v\${VERSION}`,
  });
  expect(
    schemaFor("git+https://repository.invalid/shop/devid.git"),
  ).not.toHaveProperty("pluginDownloadURL");
});
