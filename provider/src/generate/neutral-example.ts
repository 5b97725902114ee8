import type { ResourceDefinition } from "../definition/define-resource";
import { pluginType } from "../definition/engine-names";

/**
 * The example of a resource in PCL, the language from which Pulumi writes programs in all
 * others.
 */
export function neutralExample({ kind, example }: ResourceDefinition): string {
  const { name, inputs, output } = example;
  return `resource ${name} "${pluginType(kind)}" {
${attributes(inputs)}
}

output ${output} {
  value = ${name}.${output}
}
`;
}

const attributes = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${literal(value)}`)
    .join("\n");

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{\n${attributes(value)}\n}`;
  // As in JSON, except that `${` and `%{` begin a template.
  return JSON.stringify(value).replaceAll(/[$%](?=\{)/g, "$&$&");
}
