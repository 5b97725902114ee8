/** A piece of TypeScript, such as `environments.staging.id`, and the value that it has. */
export class Code {
  constructor(
    readonly text: string,
    readonly value: string,
  ) {}
}

/** What an argument of a resource is in a written program. */
export type CodeValue = string | number | boolean | Code;

const WIDTH = 80;
const SHORTEST_KEY_TO_BREAK = 5;

/** A resource of a written program. */
export interface ResourceCode {
  readonly kind: string;
  readonly name: string;
  readonly identifier: string;
  readonly args: Readonly<Record<string, CodeValue>>;
}

/** The statement that declares a resource, laid out as Prettier would. */
export function resourceCode(resource: ResourceCode): string {
  const { kind, name, identifier, args } = resource;
  const start = `export const ${identifier} = new devid.${kind}(`;
  const text = codeText(name);
  const properties = (indent: string) =>
    Object.entries(args).map(([property, value]) =>
      propertyCode(indent, property, value),
    );
  const lines =
    columns(`${start}${text}, {`) <= WIDTH
      ? [`${start}${text}, {`, ...properties("  "), "});"]
      : [start, `  ${text},`, "  {", ...properties("    "), "  },", ");"];
  return `${lines.join("\n")}\n`;
}

function propertyCode(
  indent: string,
  property: string,
  value: CodeValue,
): string {
  const text = value instanceof Code ? value.text : codeText(value);
  const line = `${indent}${property}: ${text},`;
  // A text or a reference can stand on a line of its own, unless next to nothing is gained.
  const canBreak =
    (typeof value === "string" || value instanceof Code) &&
    property.length >= SHORTEST_KEY_TO_BREAK;
  return columns(line) <= WIDTH || !canBreak
    ? line
    : `${indent}${property}:\n${indent}  ${text},`;
}

/** A value as a literal: in double quotes unless single ones need fewer escapes. */
export function codeText(value: string | number | boolean): string {
  if (typeof value === "number") return String(value).replace("e+", "e");
  if (typeof value === "boolean") return String(value);
  const doubles = count(value, '"');
  const text = JSON.stringify(value).replace(HIDDEN, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  });
  if (doubles <= count(value, "'")) return text;
  const inner = text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** What a reader would not see, the joiner of emoji excepted. */
const HIDDEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const count = (text: string, character: string) =>
  text.split(character).length - 1;

const columns = (text: string) => [...text].length;
