import { columnsOf as columns } from "@devid/rules";

/** A TypeScript expression, such as `environments.staging.id`. */
export class Code {
  constructor(readonly text: string) {}
}

/** An argument of a resource in a written program. */
export type CodeValue =
  | string
  | number
  | boolean
  | Code
  | readonly CodeValue[]
  | { readonly [name: string]: CodeValue };

const WIDTH = 80;
const SHORTEST_KEY_TO_BREAK = 5;

/** A resource of a written program. */
export interface ResourceCode {
  readonly kind: string;
  readonly name: string;
  readonly identifier: string;
  readonly args: Readonly<Record<string, CodeValue>>;
}

/** The statement that declares a resource, in the layout of Prettier. */
export function resourceCode(resource: ResourceCode): string {
  const { kind, name, identifier, args } = resource;
  const start = `export const ${identifier} = new devid.${kind}(`;
  const text = codeText(name);
  const properties = (indent: string) => propertiesCode(indent, args);
  const lines =
    columns(`${start}${text}, {`) <= WIDTH
      ? [`${start}${text}, {`, ...properties("  "), "});"]
      : [start, `  ${text},`, "  {", ...properties("    "), "  },", ");"];
  return `${lines.join("\n")}\n`;
}

/** An assignment of a call with one argument, in the layout of Prettier: `start` is `export const token =`. */
export function callCode(start: string, name: string, value: string): string {
  if (columns(`${start} ${name}(${value});`) <= WIDTH)
    return `${start} ${name}(${value});`;
  return columns(`${start} ${name}(`) <= WIDTH
    ? `${start} ${name}(\n  ${value},\n);`
    : `${start}\n  ${name}(${value});`;
}

/** The members of an object, in the layout of Prettier. */
export const propertiesCode = (
  indent: string,
  properties: Readonly<Record<string, CodeValue>>,
): string[] =>
  Object.entries(properties).map(([name, value]) =>
    propertyCode(indent, keyCode(name), value),
  );

const keyCode = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : codeText(name);

function propertyCode(
  indent: string,
  property: string,
  value: CodeValue,
): string {
  const line = `${indent}${property}: ${inlineCode(value)},`;
  if (isScalar(value)) {
    // Prettier moves a text or a reference to its own line unless the property is very short.
    const canBreak =
      (typeof value === "string" || value instanceof Code) &&
      property.length >= SHORTEST_KEY_TO_BREAK;
    return columns(line) <= WIDTH || !canBreak
      ? line
      : `${indent}${property}:\n${indent}  ${inlineCode(value)},`;
  }
  const isShort = columns(line) <= WIDTH && !line.includes("\n");
  return isEmpty(value) || (isShort && isList(value) && value.every(isScalar))
    ? line
    : `${indent}${property}: ${blockCode(indent, value)},`;
}

/** A list or an object with a line for each member. */
function blockCode(indent: string, value: CodeValue): string {
  if (isScalar(value) || isEmpty(value)) return inlineCode(value);
  const inner = `${indent}  `;
  if (!isList(value))
    return ["{", ...propertiesCode(inner, value), `${indent}}`].join("\n");
  const items = value.map((item) => `${inner}${blockCode(inner, item)},`);
  return ["[", ...items, `${indent}]`].join("\n");
}

function inlineCode(value: CodeValue): string {
  if (value instanceof Code) return value.text;
  if (isScalar(value)) return codeText(value);
  if (isList(value)) return `[${value.map(inlineCode).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${keyCode(name)}: ${inlineCode(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

const isScalar = (
  value: CodeValue,
): value is string | number | boolean | Code =>
  typeof value !== "object" || value instanceof Code;

// Array.isArray does not narrow readonly arrays.
const isList = (value: CodeValue): value is readonly CodeValue[] =>
  Array.isArray(value);

const isEmpty = (value: object) => Object.keys(value).length === 0;

/** A value as a literal. Texts are in double quotes, unless single quotes need fewer escapes. */
export function codeText(value: string | number | boolean): string {
  if (typeof value === "number") return String(value).replace("e+", "e");
  if (typeof value === "boolean") return String(value);
  const doubles = count(value, '"');
  const text = JSON.stringify(value).replaceAll(HIDDEN, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  });
  if (doubles <= count(value, "'")) return text;
  const inner = text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** Characters that a reader cannot see, except the joiner of emoji. */
export const HIDDEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const count = (text: string, character: string) =>
  text.split(character).length - 1;
