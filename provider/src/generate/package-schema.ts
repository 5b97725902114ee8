import { ApiKeyType, LimitMode, Status } from "@devid/sdk/wire";
import { Rule, RuleContent } from "@devid/rules";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { pluginType, resourceType } from "../definition/engine-names";
import {
  ProviderConfiguration,
  settingMeta,
  PROVIDER_SETTINGS,
  variablesOf,
  type ProviderSetting,
} from "../definition/configuration";
import {
  typeName,
  type FunctionDefinition,
} from "../definition/define-function";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldMeta, properties, unwrap } from "../definition/field";
import { RuleSetState } from "../resources/filtering-rule-set/rule-set-state";
import { declaredDefault, descriptionOf, isRequired } from "./type-writer";

// The form of Pulumi's package schemas: pkg/codegen/schema/pulumi.json of Pulumi 3.246.0.

/** A type: one of Pulumi's own, an array, a map, a choice, or a reference to a named type. */
export interface TypeSpec {
  readonly type?:
    | "boolean"
    | "integer"
    | "number"
    | "string"
    | "array"
    | "object";
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly default?: unknown;
  readonly defaultInfo?: { readonly environment: readonly string[] };
  readonly secret?: true;
  readonly replaceOnChanges?: true;
}

interface ObjectSpec {
  readonly description?: string;
  readonly type?: "object";
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

interface EnumSpec {
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}

/**
 * Names of types that several resources share, or whose place would make too long a
 * name. All other types are named after their place: `WebhookAdopt`.
 */
const NAMES = new Map<z.core.$ZodType, string>([
  [ApiKeyType, "ApiKeyType"],
  [LimitMode, "LimitMode"],
  [Status, "Status"],
  [Rule, "Rule"],
  [RuleSetState.valueType, "RuleState"],
  [RuleContent.shape.action, "RuleAction"],
  [unwrap(RuleContent.shape.denyWith), "DenyWith"],
  [unwrap(ProviderConfiguration.shape.region), "Region"],
  [unwrap(ProviderConfiguration.shape.adopt), "AdoptionMode"],
]);

/** Whether a program gives values of a type, or gets them. */
type Side = "input" | "output";

/** The schema of the package, from which Pulumi makes the SDK of each language: JSON. */
export function packageSchema(
  root: string,
  resources: readonly ResourceDefinition[],
  functions: readonly FunctionDefinition[],
): string {
  const manifest = readFileSync(join(root, "provider/package.json"), "utf8");
  const { version, license, description, repository } = JSON.parse(
    manifest,
  ) as Record<"version" | "license" | "description", string> & {
    repository: { url: string };
  };
  const types = new NamedTypes();
  const schema = {
    name: "devid",
    displayName: "devid",
    version,
    description,
    keywords: [
      "devid",
      "device-identification",
      "category/infrastructure",
      "kind/native",
    ],
    license,
    ...addresses(repository.url),
    // The SDK for Go is a module of its own, with a go.mod.
    meta: { supportPack: true },
    language: LANGUAGES,
    config: { variables: settings(types, () => true) },
    provider: {
      description: "The workspace that resources belong to.",
      // An SDK would ignore the region in the variables of regional settings. The
      // provider reads these variables itself.
      inputProperties: settings(types, (name) => !settingMeta(name).regional),
    },
    resources: Object.fromEntries(
      resources.map((one) => [pluginType(one.kind), resourceSpec(one, types)]),
    ),
    functions: Object.fromEntries(
      functions.map((one) => [pluginType(one.name), functionSpec(one, types)]),
    ),
  };
  return JSON.stringify({ ...schema, types: types.specs });
}

/**
 * Where people and the engine find the package. A placeholder address is left out: the
 * engine would look there for a missing plugin, and the SDK for Go would be named after
 * it.
 */
function addresses(repository: string): object {
  const address = repository.replace(/^git\+|\.git$/g, "");
  if (new URL(address).hostname.endsWith(".invalid")) return {};
  return {
    publisher: "devid",
    homepage: address,
    repository: address,
    logoUrl: `${address}/raw/HEAD/service/assets/icon.svg`,
    // The engine replaces the variable, and adds the name of the platform's archive.
    pluginDownloadURL: `${address}/releases/download/v\${VERSION}`,
  };
}

/** What the SDKs are called, and that their version is the schema's. */
const LANGUAGES = {
  // What `pulumi import` prints for TypeScript imports the package's own classes.
  nodejs: { packageName: "@devid/pulumi/plugin", respectSchemaVersion: true },
  python: {
    packageName: "pulumi_devid",
    respectSchemaVersion: true,
    pyproject: { enabled: true },
  },
  go: {
    rootPackageName: "devid",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { namespaces: { devid: "Devid" }, respectSchemaVersion: true },
};

function resourceSpec(
  definition: ResourceDefinition,
  types: NamedTypes,
): object {
  const { kind, description, inputs, outputs, fileInput } = definition;
  const given = types.objectOf(inputs, kind, "input");
  const got = types.objectOf(properties(outputs), kind, "output");
  return {
    description,
    properties: got.properties,
    required: got.required,
    inputProperties: {
      ...given.properties,
      ...(fileInput && {
        [fileInput.name]: {
          description: fileInput.description,
          type: "string",
        },
      }),
    },
    requiredInputs: given.required.filter(
      (name) => name !== fileInput?.inPlaceOf,
    ),
    aliases: [{ type: resourceType(kind) }],
  };
}

function functionSpec(
  { name, description, args, result }: FunctionDefinition,
  types: NamedTypes,
): object {
  const place = pascalCase(name);
  const outputs = types.objectOf(
    unwrap(result) as z.core.$ZodObject,
    typeName(result)?.name ?? `${place}Result`,
    "output",
  );
  return {
    description,
    inputs: { type: "object", ...types.objectOf(args, place, "input") },
    outputs: { type: "object", ...outputs },
  };
}

/**
 * Every setting, with its default and the variables that an SDK may read. For an
 * enumeration, both would make the code for Go invalid, so the description mentions
 * them instead.
 */
function settings(
  types: NamedTypes,
  isReadBySdk: (name: ProviderSetting) => boolean,
): Readonly<Record<string, PropertySpec>> {
  const { properties } = types.objectOf(ProviderConfiguration, "", "input");
  const specs: Record<string, PropertySpec> = {};
  for (const name of PROVIDER_SETTINGS) {
    const { default: preset, ...spec } = { ...properties[name] };
    const environment = variablesOf(name);
    const otherwise =
      preset === undefined
        ? ""
        : `, otherwise \`${JSON.stringify(preset).replaceAll('"', "")}\``;
    const variables = environment.map((one) => `\`${one}\``).join(", ");
    const description = `${spec.description ?? ""} Default: the environment variable ${variables}${otherwise}.`;
    // The engine refuses a schema with an empty list of variables.
    if (environment.length === 0) specs[name] = spec;
    else if (spec.type === undefined || !isReadBySdk(name))
      specs[name] = { ...spec, description };
    else
      specs[name] = {
        ...spec,
        ...(preset !== undefined && { default: preset }),
        defaultInfo: { environment },
      };
  }
  return specs;
}

/** Collects the types of objects and of choices, which a schema refers to by their names. */
export class NamedTypes {
  readonly #specs = new Map<string, ObjectSpec | EnumSpec>();

  /** The types by their tokens, in the order of their names. */
  get specs(): Readonly<Record<string, ObjectSpec | EnumSpec>> {
    return Object.fromEntries(
      [...this.#specs]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, spec]) => [pluginType(name), spec]),
    );
  }

  /** The properties of an object; `place` begins the names of the types in it. */
  objectOf(schema: z.core.$ZodObject, place: string, side: Side): ObjectSpec {
    const fields = Object.entries(schema._zod.def.shape) as [
      string,
      z.ZodType,
    ][];
    const required = fields.filter(([, field]) => isRequired(field, side));
    return {
      properties: Object.fromEntries(
        fields.map(([name, field]) => [
          name,
          this.#property(field, place + pascalCase(name), side),
        ]),
      ),
      required: required.map(([name]) => name),
    };
  }

  #property(field: z.ZodType, place: string, side: Side): PropertySpec {
    const { secret, immutable } = fieldMeta(field);
    const description = descriptionOf(field);
    const preset = side === "input" ? declaredDefault(field) : undefined;
    return {
      ...(description && { description }),
      ...this.typeOf(field, place, side),
      ...(preset !== undefined && { default: preset }),
      ...(secret && { secret }),
      ...(immutable && { replaceOnChanges: immutable }),
    };
  }

  /** The type of a schema's values; `place` names it if it has no name of its own. */
  typeOf(schema: z.core.$ZodType, place: string, side: Side): TypeSpec {
    const inner = unwrap(schema);
    const own = nameOf(inner);
    const name = own ?? place;
    if (inner instanceof z.core.$ZodPipe)
      return this.typeOf(inner._zod.def.in, place, side);
    const part = (one: z.core.$ZodType) =>
      this.typeOf(one, singular(place), side);
    if (inner instanceof z.core.$ZodArray)
      return { type: "array", items: part(inner._zod.def.element) };
    if (inner instanceof z.core.$ZodRecord) {
      const additionalProperties = part(inner._zod.def.valueType);
      return { type: "object", additionalProperties };
    }
    if (inner instanceof z.core.$ZodUnion)
      return this.#choice(inner, place, side);
    if (inner instanceof z.core.$ZodEnum)
      return this.#named(name, {
        type: "string",
        enum: Object.values(inner._zod.def.entries).map((value) => ({
          value: String(value),
        })),
      });
    if (inner instanceof z.core.$ZodObject) {
      // The description of a type without a name is that of the property.
      const description = own && descriptionOf(inner);
      return this.#named(name, {
        ...(description && { description }),
        type: "object",
        ...this.objectOf(inner, name, side),
      });
    }
    return plainType(inner);
  }

  /**
   * Plain forms become an enumeration. Of other forms, programs write the first and
   * read the last.
   */
  #choice(union: z.core.$ZodUnion, place: string, side: Side): TypeSpec {
    const forms = union._zod.def.options.map((form) => unwrap(form));
    const isPlain = (form: z.core.$ZodType) =>
      !(
        form instanceof z.core.$ZodObject ||
        form instanceof z.core.$ZodArray ||
        form instanceof z.core.$ZodRecord
      );
    if (!forms.every(isPlain)) {
      const form = forms.at(side === "input" ? 0 : -1);
      return form ? this.typeOf(form, place, side) : ANY;
    }
    // An enumeration that also allows any text is a plain text.
    const isOpen = forms.some((form) => form instanceof z.core.$ZodString);
    const specs = forms
      .filter((form) => !(isOpen && form instanceof z.core.$ZodEnum))
      .map((form) => this.typeOf(form, place, side));
    const different = [
      ...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values(),
    ];
    const [only] = different;
    if (only === undefined || different.includes(ANY)) return ANY;
    return different.length === 1 ? only : { oneOf: different };
  }

  /** Names that differ only in capital letters would be one file in an SDK. */
  #named(name: string, spec: ObjectSpec | EnumSpec): TypeSpec {
    const own = name.toLowerCase();
    const known = [...this.#specs.keys()].find(
      (other) => other.toLowerCase() === own,
    );
    if (known === undefined) this.#specs.set(name, spec);
    else if (!isDeepStrictEqual(this.#specs.get(known), spec))
      throw new Error(
        `Two types of the package schema are called ${name}. Give one of them another name in provider/src/generate/package-schema.ts.`,
      );
    return { $ref: `#/types/${pluginType(known ?? name)}` };
  }
}

const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

function plainType(schema: z.core.$ZodType): TypeSpec {
  if (schema instanceof z.core.$ZodLiteral) {
    const type = typeof schema._zod.def.values[0];
    return type === "boolean" || type === "number"
      ? { type }
      : { type: "string" };
  }
  if (schema instanceof z.core.$ZodNumber)
    return { type: isSmallInteger(schema) ? "integer" : "number" };
  const { type } = schema._zod.def;
  switch (type) {
    case "string":
    case "boolean":
      return { type };
    case "date":
      return { type: "string" };
    case "unknown":
    case "any":
      return ANY;
    default:
      throw new Error(
        `The package schema has no type for a schema of "${type}".`,
      );
  }
}

/** Integers of a schema have 32 bits in some languages. The schemas of zod/mini have no bounds. */
function isSmallInteger(schema: z.core.$ZodNumber): boolean {
  if (!(schema instanceof z.ZodNumber) || !schema.isInt) return false;
  const { minValue, maxValue } = schema;
  const bounds = [minValue ?? Infinity, maxValue ?? Infinity].map(Math.abs);
  return Math.max(...bounds) < 2 ** 31;
}

/** The name of a schema, also if the schema was described or marked afterwards. */
function nameOf(schema: z.core.$ZodType): string | undefined {
  for (let at: z.core.$ZodType | undefined = schema; at; at = at._zod.parent) {
    const name = NAMES.get(at);
    if (name) return name;
  }
  return typeName(schema)?.name;
}

/** `ipInfo` and `ip_info` as `IpInfo`. */
const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[_-])([a-z0-9])/gi, (_, letter: string) =>
    letter.toUpperCase(),
  );

const singular = (name: string) =>
  name.replace(/ies$/, "y").replace(/(?<![su])s$/, "");
