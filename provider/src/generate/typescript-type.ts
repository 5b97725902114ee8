import type { z } from "zod";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * Where a type is used: `args` for arguments, where each level is an Input; `item`
 * for members of a list in arguments; `plain` for arguments that must have plain
 * values; `state` for outputs.
 */
export type Side = "args" | "item" | "plain" | "state";

/**
 * A type for any text in addition to an enumeration. In a list declared as `const`,
 * TypeScript widens `action: "deny"` to `string`, which must fit the type. Editors
 * still complete the enumeration.
 */
const ANY_TEXT = "(string & {})";

const ANY_TEXT_NOTE =
  "Any text fits the type, so that a list may stand in a `const`; a preview refuses another text than these.";

/**
 * The TypeScript type of a JSON schema. For a union, arguments have the first form and
 * outputs the last.
 */
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
        : `readonly ${member(schema.items as JsonSchema, side === "plain" ? side : "item")}[]`;
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
  if (side === "state" || side === "plain") return parenthesised(type);
  return `pulumi.Input<${type}${isOptional ? " | undefined" : ""}>`;
}

const parenthesised = (type: string) =>
  type.includes(" | ") ? `(${type})` : type;

/** A doc comment with a schema's description, its default and a note; empty if there is none of them. */
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
