import { columnsOf as columns } from "@devid/rules";

/** A TypeScript expression, such as `environments.staging.id`. */
export class Code {
  constructor(readonly text: string) {}
}

/** An argument of a resource in a written program: code, or a value of JSON. */
export type CodeValue = string | number | boolean | Code | object;

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
  const properties = (indent: string) =>
    Object.entries(args).map(([member, value]) =>
      propertyCode(indent, member, value),
    );
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

/** An argument, in the layout of Prettier; a list or an object stands on one line. */
function propertyCode(indent: string, name: string, value: CodeValue): string {
  const text = value instanceof Code ? value.text : codeText(value);
  const line = `${indent}${name}: ${text},`;
  // Prettier moves a text or a reference to its own line unless the property is very short.
  const canBreak =
    (typeof value === "string" || value instanceof Code) &&
    name.length >= SHORTEST_KEY_TO_BREAK;
  return columns(line) <= WIDTH || !canBreak
    ? line
    : `${indent}${name}:\n${indent}  ${text},`;
}

/** A value as a literal. Texts are in double quotes, unless single quotes need fewer escapes. */
export function codeText(value: string | number | boolean | object): string {
  if (typeof value === "number") return String(value).replace("e+", "e");
  const text = JSON.stringify(value).replaceAll(HIDDEN, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  });
  if (typeof value !== "string" || count(value, '"') <= count(value, "'"))
    return text;
  const inner = text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** Characters that a reader cannot see, except the joiner of emoji. */
export const HIDDEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const count = (text: string, character: string) =>
  text.split(character).length - 1;
