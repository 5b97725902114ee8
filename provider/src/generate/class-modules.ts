import type { ResourceDefinition } from "../definition/define-resource";
import { HEADER, specOf } from "./resource-modules";

/** A file of a definition, and what it defines. */
export interface Defined<Definition> {
  readonly file: string;
  readonly definition: Definition;
}

/** The source with the types of all classes, and what the classes know. */
export function classesModule(
  all: readonly Defined<ResourceDefinition>[],
): string {
  return `${HEADER}
${all.map(({ file, definition: { kind } }) => `import { ${specOf(kind)}, type ${kind}Args, type ${kind}Outputs } from "./${file}";`).join("\n")}
import type * as pulumi from "@pulumi/pulumi";
import type { ResourceClass, ResourceSpec } from "../resource-class";

${all.map(({ file }) => `export type * from "./${file}";`).join("\n")}

/** The classes of all kinds, by their names. */
export interface Classes {
${all.map(({ definition: { kind } }) => `readonly ${kind}: ResourceClass<pulumi.CustomResource & ${kind}Outputs, ${kind}Args>;`).join("\n")}
}

/** What the class of each kind knows. */
export const RESOURCE_SPECS: readonly ResourceSpec[] = [${all.map(({ definition }) => specOf(definition.kind)).join(", ")}];
`;
}

/**
 * The source of the names that programs import, for the adapter of the same folder. Each
 * name must be written out: ES modules import it, editors show the comment above it, and
 * declarations of a program that exports a resource name its type.
 */
export function namesModule(
  resources: readonly ResourceDefinition[],
  functions: readonly string[],
): string {
  const args = resources.map(({ kind }) => `${kind}Args`);
  const name = (kind: string) =>
    `export interface ${kind} extends pulumi.CustomResource, declared.${kind}Outputs {}
export const ${kind}: ResourceClass<${kind}, declared.${kind}Args> = classes.${kind};`;
  return `${HEADER}
import type * as pulumi from "@pulumi/pulumi";
import type * as declared from "../classes/classes";
import { classesOver } from "../classes/classes-over";
import { dataSources } from "../functions/data-sources";
import type { DataSources } from "../functions/functions";
import type { ResourceClass } from "../resource-class";
import { ask, askOutput } from "./ask";
import type { Provider } from "./provider";
import { ADAPTER } from "./resource-class";

export type { ${args.join(", ")} } from "../classes/classes";
export type * from "../functions/function-types";

const classes = classesOver(ADAPTER);
const functions = dataSources<Provider>({ ask, askOutput });
type Functions = DataSources<Provider>;

${resources.map(({ kind, description }) => `/** ${description} */\n${name(kind)}`).join("\n")}

${functions.map((name) => `export const ${name}: Functions["${name}"] = functions.${name};`).join("\n")}
`;
}
