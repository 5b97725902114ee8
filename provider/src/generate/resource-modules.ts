import { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import {
  fieldMeta,
  fieldsMarked,
  properties,
  type AbsenceBy,
} from "../definition/field";
import { docBlock, typescriptType } from "./typescript-type";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** JSON schemas of a definition's fields: as inputs that a program writes, or as outputs that it reads. */
export function fieldSchemas(
  schema: z.ZodObject,
  io: "input" | "output",
): { fields: [string, JsonSchema][]; required: ReadonlySet<string> } {
  const json = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return {
    fields: Object.entries(json.properties ?? {}) as [string, JsonSchema][],
    required: new Set(json.required),
  };
}

/**
 * The source that both adapters share for a kind: its arguments, its outputs, and the
 * data of its class.
 */
export function resourceModule(definition: ResourceDefinition): string {
  const { kind, outputs, fileInput } = definition;
  const { clone, inEnvironment, insteadOfImport } = definition;
  const computed = fieldSchemas(properties(outputs), "output");
  const expand = fileInput?.expand;
  const following = Object.fromEntries(
    fieldsMarked(outputs, "secretWith").map((name) => {
      const input =
        fieldMeta(outputs.shape[name] as z.ZodType).secretWith ?? "";
      const file = fileInput?.inPlaceOf === input ? [fileInput.name] : [];
      return [name, [input, ...file]];
    }),
  );
  const absences = absencesOf(outputs);
  return `${HEADER}
import type * as pulumi from "@pulumi/pulumi";
import type { ResourceSpec } from "../resource-class";
${expand ? `import { ${expand} } from "../rules-from-file";\n` : ""}
${argsType(definition)}

/** Outputs of \`${kind}\`. */
export interface ${kind}Outputs {
${computed.fields
  .map(([name, field]) => {
    const schema = outputs.shape[name] as z.ZodType | undefined;
    const absence = schema && fieldMeta(schema).absence;
    const isThere = computed.required.has(name) || absence !== undefined;
    const note = absence && `Reading it fails where there is none: ${absence}`;
    return `${docBlock(field, note)}readonly ${name}: pulumi.Output<${orUndefined(typescriptType(field, "state"), isThere)}>;`;
  })
  .join("\n")}
}

/** What a class of \`${kind}\` knows. */
export const ${specOf(kind)}: ResourceSpec = {
  kind: ${JSON.stringify(kind)},
  outputs: ${JSON.stringify(computed.fields.map(([name]) => name))},
  adopts: ${"adopt" in outputs.shape},
  ${inEnvironment?.goesAlong ? "goesAlong: true," : ""}
  ${clone?.onePerEnvironment ? "onePerEnvironment: true," : ""}
  ${insteadOfImport ? `insteadOfImport: ${JSON.stringify(insteadOfImport)},` : ""}
  secretOutputs: ${JSON.stringify(fieldsMarked(outputs, "secret"))},
  ${Object.keys(following).length > 0 ? `secretWith: ${JSON.stringify(following)},` : ""}
  ${absences ? `absences: ${JSON.stringify(absences)},` : ""}
  ${expand ? `expand: ${expand},` : ""}
};
`;
}

/** The name of the constant with the data of a kind's class: `apiKeySpec`. */
export const specOf = (kind: string): string => `${lowerFirst(kind)}Spec`;

/** A name that begins with a small letter. */
export const lowerFirst = (name: string): string =>
  name.charAt(0).toLowerCase() + name.slice(1);

/**
 * For each output marked `expected`, why it may have no value. Undefined if a resource
 * has no such output.
 */
export function absencesOf(
  outputs: z.ZodObject,
): Readonly<Record<string, string | AbsenceBy>> | undefined {
  const found = Object.entries(outputs.shape).flatMap(([name, field]) => {
    const { absence, absenceBy } = fieldMeta(field as z.ZodType);
    return absence === undefined ? [] : [[name, absenceBy ?? absence] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** A member of the arguments. */
export const argument = (
  [name, schema]: [string, JsonSchema],
  isRequired: boolean,
): string =>
  `${docBlock(schema)}readonly ${name}${isRequired ? "" : "?"}: pulumi.Input<${orUndefined(typescriptType(schema, "args"), isRequired)}>;`;

/** The type of the arguments. An input that another argument can replace is in a union with it, so that a program gives one of both. */
function argsType({ kind, inputs, fileInput }: ResourceDefinition): string {
  const { fields, required } = fieldSchemas(inputs, "input");
  const settings = fields
    .filter(([name]) => name !== fileInput?.inPlaceOf)
    .map((entry) => argument(entry, required.has(entry[0])))
    .join("\n");
  if (!fileInput)
    return `/** Arguments of \`${kind}\`. */
export interface ${kind}Args {
${settings}
}`;

  const { name: file, inPlaceOf, description } = fileInput;
  const ways = new Map([
    ...fields
      .filter(([name]) => name === inPlaceOf)
      .map((entry) => [entry[0], argument(entry, true)] as const),
    [file, `${docBlock({ description })}readonly ${file}: string;`] as const,
  ]);
  const names = [...ways.keys()];
  const way = ([chosen, declared]: readonly [string, string]) =>
    `{\n${names.map((name) => (name === chosen ? declared : `readonly ${name}?: never;`)).join("\n")}\n}`;
  return `/** Arguments of \`${kind}\`: one of ${names.map((name) => `\`${name}\``).join(" and ")}, not both, and its settings. */
export type ${kind}Args = (${[...ways].map(way).join(" | ")}) & {
${settings}
}`;
}

/** A type that also allows `undefined`, unless a value is required. `unknown` already allows it. */
const orUndefined = (type: string, required: boolean) =>
  required || type === "unknown" ? type : `${type} | undefined`;

/** First line of every generated source file. */
export const HEADER =
  "// Generated by `npm run gen` from provider/src/resources. Do not edit.";
