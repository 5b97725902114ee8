import type { ResourceDefinition } from "../definition/define-resource";
import { NamedTypes, type TypeSpec } from "./package-schema";

const COLUMNS = 88;

/** A call, a list or a dictionary: its items share a line if that is short enough. */
interface Group {
  readonly open: string;
  readonly items: readonly (readonly [prefix: string, value: Code])[];
  readonly close: string;
}

type Code = string | Group;

/** The example of a resource as a Python program that uses the generated SDK. */
export function pythonExample({
  kind,
  inputs,
  example,
}: ResourceDefinition): string {
  const types = new NamedTypes();
  const { properties } = types.objectOf(inputs, kind, "input");
  const name = snakeCase(example.name);
  const made: Group = {
    open: `devid.${kind}(`,
    items: [
      ["", quoted(example.name)],
      ...keywords(example.inputs, properties, types),
    ],
    close: ")",
  };
  return `import pulumi
import pulumi_devid as devid

${name} = ${printed(made, "", `${name} = `.length)}

pulumi.export(${quoted(example.output)}, ${name}.${snakeCase(example.output)})`;
}

/** A value as code that gives it the type that the SDK declares for its place. */
function codeOf(value: unknown, type: TypeSpec, types: NamedTypes): Code {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  const token = type.$ref?.replace("#/types/", "") ?? "";
  const named = types.specs[token];
  const className = `devid.${token.split(":").at(-1) ?? ""}`;
  if (typeof value === "string")
    return named && "enum" in named
      ? `${className}.${value.replaceAll(/\W/g, "_").toUpperCase()}`
      : quoted(value);
  if (Array.isArray(value) && type.items) {
    const { items } = type;
    return {
      open: "[",
      items: value.map((item) => ["", codeOf(item, items, types)]),
      close: "]",
    };
  }
  if (typeof value === "object" && value && named && "properties" in named)
    return {
      open: `${className}Args(`,
      items: keywords(value, named.properties, types),
      close: ")",
    };
  throw new Error(
    `The example of a resource has ${JSON.stringify(value)}, for which provider/src/generate/python-example.ts knows no Python.`,
  );
}

function keywords(
  values: object,
  properties: Readonly<Record<string, TypeSpec>>,
  types: NamedTypes,
): Group["items"] {
  return Object.entries(values).map(([name, value]) => [
    `${snakeCase(name)}=`,
    codeOf(value, properties[name] ?? {}, types),
  ]);
}

/** Code in the layout of Black, the usual formatter for Python. */
function printed(code: Code, indent: string, column: number): string {
  const line = onOneLine(code);
  if (typeof code === "string" || column + line.length <= COLUMNS) return line;
  const inner = `${indent}    `;
  const items = code.items.map(([prefix, value]) => {
    // Behind an item stands a comma.
    const start = inner.length + prefix.length + 1;
    return `${inner}${prefix}${printed(value, inner, start)},\n`;
  });
  return `${code.open}\n${items.join("")}${indent}${code.close}`;
}

function onOneLine(code: Code): string {
  if (typeof code === "string") return code;
  const items = code.items.map(([prefix, value]) => prefix + onOneLine(value));
  return `${code.open}${items.join(", ")}${code.close}`;
}

const quoted = (text: string) => JSON.stringify(text);

/** The name that Pulumi's SDKs for Python give an input or an output: the service's spelling. */
export const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
