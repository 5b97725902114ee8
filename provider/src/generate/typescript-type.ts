import type { z } from "zod";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** How types are printed: `args` for what a program passes, each level an Input; `state` for what it gets. */
export type Side = "args" | "state";

/** The TypeScript type of a JSON schema. In a union, the program's form is the first and the state's the last. */
export function typescriptType(schema: JsonSchema, side: Side): string {
  if (schema.anyOf) {
    const form = schema.anyOf.at(side === "args" ? 0 : -1);
    return form ? typescriptType(form, side) : "unknown";
  }
  if (schema.enum)
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return `${member(schema.items as JsonSchema, side)}[]`;
    case "object":
      return objectType(schema, side);
    default:
      return "unknown";
  }
}

function objectType(schema: JsonSchema, side: Side): string {
  if (!schema.properties) {
    const values = schema.additionalProperties;
    return typeof values === "object"
      ? `Record<string, ${member(values, side)}>`
      : "Record<string, unknown>";
  }
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const optional = required.has(name) ? "" : "?";
    return `${docBlock(field as JsonSchema)}${name}${optional}: ${member(field as JsonSchema, side)};`;
  });
  return `{\n${fields.join("\n")}\n}`;
}

function member(schema: JsonSchema, side: Side): string {
  const type = typescriptType(schema, side);
  return side === "args" ? `pulumi.Input<${type}>` : parenthesised(type);
}

const parenthesised = (type: string) =>
  type.includes(" | ") ? `(${type})` : type;

/** A doc comment with a schema's description and default; empty when it has neither. */
export function docBlock(schema: JsonSchema): string {
  const parts = [
    schema.description ?? "",
    schema.default === undefined
      ? ""
      : `Default: \`${JSON.stringify(schema.default)}\`.`,
  ].filter(Boolean);
  return parts.length > 0 ? `/** ${parts.join(" ")} */\n` : "";
}
