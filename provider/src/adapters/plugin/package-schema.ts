import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ProviderConfiguration } from "../../definition/configuration";
import { fieldMeta, unwrap } from "../../definition/field";
import type { FunctionDefinition } from "../../definition/define-function";
import { listMember, type Functions } from "./function-calls";
import { TYPE_PREFIX, type Registry } from "./resource-calls";

/** The schema of the package, JSON: the generated one, or where there is none yet, one that names types only. */
export async function packageSchema(
  packageFolder: string,
  version: string,
  kinds: Registry,
  functions: Functions,
): Promise<string> {
  try {
    return await readFile(join(packageFolder, "schema.json"), "utf8");
  } catch {
    return JSON.stringify(plainSchema(version, kinds, functions));
  }
}

function plainSchema(
  version: string,
  kinds: Registry,
  functions: Functions,
): object {
  const resources = Object.values(kinds).map(
    ({ kind, description, inputs, outputs }) => [
      TYPE_PREFIX + kind,
      {
        description,
        inputProperties: propertiesOf(inputs),
        requiredInputs: requiredIn(inputs),
        properties: propertiesOf(outputs),
        required: [],
      },
    ],
  );
  const sources = Object.values(functions).map((definition) => [
    TYPE_PREFIX + definition.name,
    {
      description: definition.description,
      inputs: { properties: propertiesOf(definition.args) },
      outputs: { properties: resultProperties(definition) },
    },
  ]);
  const variables = propertiesOf(ProviderConfiguration);
  return {
    name: "devid",
    version,
    config: { variables },
    provider: { inputProperties: variables },
    resources: Object.fromEntries(resources) as object,
    functions: Object.fromEntries(sources) as object,
  };
}

function resultProperties(definition: FunctionDefinition): object {
  const member = listMember(definition);
  const result = unwrap(definition.result);
  if (member !== undefined) return { [member]: typeOf(result) };
  return result instanceof z.ZodObject ? propertiesOf(result) : {};
}

const propertiesOf = ({ shape }: z.ZodObject) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      {
        ...typeOf(field as z.ZodType),
        ...(fieldMeta(field as z.ZodType).secret && { secret: true }),
      },
    ]),
  );

const requiredIn = ({ shape }: z.ZodObject) =>
  Object.entries(shape)
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);

function typeOf(field: z.core.$ZodType): object {
  const inner = unwrap(field);
  const { type } = inner._zod.def;
  if (type === "enum") return { type: "string" };
  if (["string", "number", "boolean"].includes(type)) return { type };
  if (inner instanceof z.ZodArray)
    return { type: "array", items: typeOf(inner.element) };
  if (inner instanceof z.ZodUnion)
    return typeOf(inner.options[0] as z.core.$ZodType);
  return { $ref: "pulumi.json#/Any" };
}
