import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ProviderConfiguration } from "../../definition/configuration";
import { fieldMeta, unwrap } from "../../definition/field";
import { TYPE_PREFIX, type Registry } from "./resource-calls";

/** The schema of the package, JSON: the generated one, or where there is none yet, one that names types only. */
export async function packageSchema(
  packageFolder: string,
  version: string,
  kinds: Registry,
): Promise<string> {
  try {
    return await readFile(join(packageFolder, "schema.json"), "utf8");
  } catch {
    return JSON.stringify(plainSchema(version, kinds));
  }
}

function plainSchema(version: string, kinds: Registry): object {
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
  const variables = propertiesOf(ProviderConfiguration);
  return {
    name: "devid",
    version,
    config: { variables },
    provider: { inputProperties: variables },
    resources: Object.fromEntries(resources) as object,
  };
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
