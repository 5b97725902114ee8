import { z } from "zod";
import { fieldMeta } from "../definition/field";
import { typeName } from "../definition/define-function";

/**
 * How to print the TypeScript type of a schema. Secrets are Outputs, except in the
 * reference.
 */
export interface TypeStyle {
  /** For arguments: arrays are read-only, and optional members may be undefined under any compiler options. */
  readonly isArgument?: boolean;
  /** For the reference: secrets are plain types. */
  readonly isPlain?: boolean;
  /** Called with each named schema, of which only the name is printed. */
  readonly meet?: (schema: z.ZodType) => void;
}

/** The TypeScript type of a schema's values in a program. */
export function schemaType(schema: z.ZodType, style: TypeStyle = {}): string {
  const type = valueType(schema, style);
  return fieldMeta(schema).secret && !style.isPlain
    ? `pulumi.Output<${type}>`
    : type;
}

function valueType(schema: z.ZodType, style: TypeStyle): string {
  const name = typeName(schema)?.name;
  if (name) {
    style.meet?.(schema);
    return name;
  }
  const of = (part: z.core.$ZodType) => schemaType(part as z.ZodType, style);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    return valueType(schema.def.innerType as z.ZodType, style);
  if (schema instanceof z.ZodPipe) return of(schema.def.in);
  if (schema instanceof z.ZodUnion) return unionOf(schema.def.options.map(of));
  if (schema instanceof z.ZodEnum)
    return unionOf(schema.options.map((value) => JSON.stringify(value)));
  if (schema instanceof z.ZodLiteral)
    return unionOf([...schema.values].map((value) => JSON.stringify(value)));
  if (schema instanceof z.ZodArray) {
    const item = of(schema.def.element);
    const array = item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    return style.isArgument ? `readonly ${array}` : array;
  }
  if (schema instanceof z.ZodObject)
    return `{\n${fieldLines(schema, style).join("\n")}\n}`;
  if (schema instanceof z.ZodRecord)
    return `Readonly<Record<string, ${of(schema.def.valueType)}>>`;
  const { type } = schema.def;
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
      return type;
    case "date":
      return "Date";
    default:
      throw new Error(`No TypeScript type is known for a schema of "${type}".`);
  }
}

/** The fields of an object type with their descriptions, each one a line or more. */
export function fieldLines(schema: z.ZodObject, style: TypeStyle): string[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const zod = field as z.ZodType;
    const isOptional = zod.safeParse(undefined).success;
    const optional = isOptional ? "?" : "";
    const orUndefined = isOptional && style.isArgument ? " | undefined" : "";
    return `${docOf(zod)}readonly ${name}${optional}: ${schemaType(zod, style)}${orUndefined};`;
  });
}

/** The default that a schema declares; undefined where it has none. */
export function declaredDefault(schema: z.ZodType): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

/** A doc comment with a schema's description and default; empty when it has neither. */
export function docOf(schema: z.ZodType): string {
  const value = declaredDefault(schema);
  const parts = [
    schema.description ?? "",
    value === undefined ? "" : `Default: \`${JSON.stringify(value)}\`.`,
  ].filter(Boolean);
  return parts.length > 0 ? `/** ${parts.join(" ")} */\n` : "";
}

/**
 * A union with each form once. If it has enumerated texts and any text, the form for
 * any text is printed so that editors still complete the enumerated texts.
 */
function unionOf(forms: readonly string[]): string {
  const isOpen = forms.some((form) => form.includes('"'));
  return [...new Set(forms)]
    .map((form) =>
      isOpen && form === "string" ? "(string & Record<never, never>)" : form,
    )
    .join(" | ");
}
