import type { z } from "zod";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * How types are printed: `args` for what a program passes, each level an Input,
 * `item` for that within a list, `state` for what it gets.
 */
export type Side = "args" | "item" | "state";

/**
 * In a list of a `const`, TypeScript takes `action: "deny"` for any text. It has
 * to fit, and an editor still completes the choices.
 */
const ANY_TEXT = "(string & {})";

const ANY_TEXT_NOTE =
  "Any text fits the type, so that a list may stand in a `const`; a preview refuses another text than these.";

/** The TypeScript type of a JSON schema. In a union, the program's form is the first and the state's the last. */
export function typescriptType(schema: JsonSchema, side: Side): string {
  if (schema.anyOf) {
    const form = schema.anyOf.at(side === "state" ? -1 : 0);
    return form ? typescriptType(form, side) : "unknown";
  }
  if (schema.enum) {
    const choices = schema.enum.map((value) => JSON.stringify(value));
    return [...choices, ...(side === "item" ? [ANY_TEXT] : [])].join(" | ");
  }
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return side === "state"
        ? `${member(schema.items as JsonSchema, side)}[]`
        : `readonly ${member(schema.items as JsonSchema, "item")}[]`;
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
    const schema = field as JsonSchema;
    const note = side === "item" && schema.enum ? ANY_TEXT_NOTE : undefined;
    return `${docBlock(schema, note)}${name}${optional}: ${member(schema, side, optional !== "")};`;
  });
  return `{\n${fields.join("\n")}\n}`;
}

function member(schema: JsonSchema, side: Side, isOptional = false): string {
  const type = typescriptType(schema, side);
  if (side === "state") return parenthesised(type);
  return `pulumi.Input<${type}${isOptional ? " | undefined" : ""}>`;
}

const parenthesised = (type: string) =>
  type.includes(" | ") ? `(${type})` : type;

/** A doc comment with a schema's description and default, and a note; empty when there is none of them. */
export function docBlock(schema: JsonSchema, note = ""): string {
  const parts = [
    schema.description ?? "",
    schema.default === undefined
      ? ""
      : `Default: \`${JSON.stringify(schema.default)}\`.`,
    note,
  ].filter(Boolean);
  return parts.length > 0 ? `/** ${parts.join(" ")} */\n` : "";
}
