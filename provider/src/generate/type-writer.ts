import { z } from "zod";
import { typeName } from "../definition/define-function";
import { unwrap } from "../definition/field";

/**
 * Where a type is printed: the arguments of a resource, where each level is an Input, or
 * the members of a list in them; the outputs of a resource; the arguments of a data
 * source; or plain values, such as its answer.
 */
export type Place = "input" | "item" | "output" | "argument" | "plain";

/**
 * A type for any text in addition to an enumeration. In a list declared as `const`,
 * TypeScript widens `action: "deny"` to `string`, which must fit the type. Editors
 * still complete the enumeration.
 */
const ANY_TEXT = "(string & {})";

const ANY_TEXT_NOTE =
  "Any text fits the type, so that a list may stand in a `const`; a preview refuses another text than these.";

const isOfResource = (place: Place) =>
  place === "input" || place === "item" || place === "output";

/** Whether a value must be given, or is always there. */
export function isRequired(
  field: z.core.$ZodType,
  side: "input" | "output",
): boolean {
  const { optin, optout } = field._zod;
  return (
    (side === "input" ? optin : optout) === undefined &&
    !(unwrap(field) instanceof z.core.$ZodUnknown)
  );
}

/** The TypeScript type of a schema's values in a program. */
export function typeOf(schema: z.core.$ZodType, place: Place): string {
  const name = typeName(schema)?.name;
  if (name) return name;
  const of = (part: z.core.$ZodType, at = place) => typeOf(part, at);
  const inner = unwrap(schema);
  if (inner !== schema) return typeOf(inner, place);
  if (schema instanceof z.core.$ZodPipe)
    return of(place === "output" ? schema._zod.def.out : schema._zod.def.in);
  if (schema instanceof z.core.$ZodUnion) {
    const forms = schema._zod.def.options;
    // Programs write the first form, and read the last.
    const [form] = isOfResource(place)
      ? forms.slice(place === "output" ? -1 : 0)
      : [];
    return form ? of(form) : unionOf(forms.map((one) => of(one)));
  }
  if (schema instanceof z.core.$ZodEnum)
    return quoted(Object.values(schema._zod.def.entries), place);
  if (schema instanceof z.core.$ZodLiteral)
    return quoted(schema._zod.def.values, place);
  if (schema instanceof z.core.$ZodArray) {
    const { element } = schema._zod.def;
    if (place === "input" || place === "item")
      return `readonly pulumi.Input<${of(element, "item")}>[]`;
    const item = of(element);
    const array = item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    return place === "argument" ? `readonly ${array}` : array;
  }
  if (schema instanceof z.core.$ZodObject)
    return `{\n${members(schema, place).join("\n")}\n}`;
  if (schema instanceof z.core.$ZodRecord) {
    const record = `Record<string, ${of(schema._zod.def.valueType)}>`;
    return isOfResource(place) ? record : `Readonly<${record}>`;
  }
  const { type } = schema._zod.def;
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

/** The members of an object type with their descriptions, each one a line or more. */
export function members(schema: z.core.$ZodObject, place: Place): string[] {
  const isInput = place === "input" || place === "item";
  const isGiven = isInput || place === "argument";
  return Object.entries(schema._zod.def.shape).map(([name, field]) => {
    const isOptional = !isRequired(field, isGiven ? "input" : "output");
    const type = typeOf(field, place);
    const full = isOptional && isGiven ? `${type} | undefined` : type;
    const note = type.includes(ANY_TEXT) ? ANY_TEXT_NOTE : "";
    return `${doc(fieldText(field, note))}${isOfResource(place) ? "" : "readonly "}${name}${isOptional ? "?" : ""}: ${isInput ? `pulumi.Input<${full}>` : full};`;
  });
}

/** The default that a schema declares; undefined if it has none. */
export const declaredDefault = (schema: z.core.$ZodType): unknown =>
  schema instanceof z.core.$ZodDefault
    ? schema._zod.def.defaultValue
    : undefined;

/** What a schema, or the schema that it wraps, says of its values. */
export const descriptionOf = (schema: z.core.$ZodType): string =>
  z.globalRegistry.get(schema)?.description ??
  (unwrap(schema) === schema ? "" : descriptionOf(unwrap(schema)));

/** The description and the default of a field, and further sentences. */
export function fieldText(
  schema: z.core.$ZodType,
  ...notes: readonly string[]
): string {
  const preset = declaredDefault(schema);
  return [
    descriptionOf(schema),
    preset === undefined ? "" : `Default: \`${JSON.stringify(preset)}\`.`,
    ...notes,
  ]
    .filter(Boolean)
    .join(" ");
}

/** A doc comment of one or more lines; empty without a text. */
export function doc(...lines: readonly string[]): string {
  const [first = ""] = lines;
  if (lines.length > 1)
    return `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
  return first && `/** ${first} */\n`;
}

function quoted(values: readonly unknown[], place: Place): string {
  const texts = values.map((value) => JSON.stringify(value));
  return unionOf(place === "item" ? [...texts, ANY_TEXT] : texts);
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
