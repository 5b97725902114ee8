import { PLUGIN_PREFIX } from "../definition/engine-names";
import type { ResourceDefinition } from "../definition/define-resource";
import { HEADER } from "./resource-modules";
import { NamedTypes } from "./package-schema";

/**
 * The source of the constants for enumerations. Programs may write plain texts instead,
 * but the code that `pulumi import` prints uses these constants.
 */
export function enumModule(definitions: readonly ResourceDefinition[]): string {
  const types = new NamedTypes();
  for (const { inputs, kind } of definitions)
    types.objectOf(inputs, kind, "input");
  const constants = Object.entries(types.specs).flatMap(([token, spec]) => {
    if (!("enum" in spec)) return [];
    const name = token.slice(PLUGIN_PREFIX.length);
    const lines = spec.enum.map(
      ({ value }) => `${memberName(value)}: ${JSON.stringify(value)},`,
    );
    return [`export const ${name} = {\n${lines.join("\n")}\n} as const;\n`];
  });
  return `${HEADER}
// The values of inputs that are choices, as the code of \`pulumi import\` names them.

${constants.join("\n")}`;
}

/** The name that Pulumi's SDKs give a value of one word. @throws Error for another value */
function memberName(value: string): string {
  if (/^[a-z]+$/i.test(value))
    return value.replace(/^./, (first) => first.toUpperCase());
  throw new Error(
    `The value ${value} of an input has no name for its constant.`,
  );
}
