import type { ComponentDefinition } from "../definition/define-component";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import {
  argument,
  fieldSchemas,
  HEADER,
  lowerFirst,
  specOf,
} from "./resource-modules";
import { docBlock, typescriptType } from "./typescript-type";

/** A file of a definition, and what it defines. */
export interface Defined<Definition> {
  readonly file: string;
  readonly definition: Definition;
}

/** The source that both adapters share for a component. */
export function componentModule({
  file,
  definition,
}: Defined<ComponentDefinition>): string {
  const { kind, deciding, inputs, outputs, composition } = definition;
  const args = fieldSchemas(inputs, "input");
  const computed = fieldSchemas(outputs, "output");
  const ownComposition = `${lowerFirst(kind)}Composition`;
  return `${HEADER}
import type * as pulumi from "@pulumi/pulumi";
import { ${ownComposition} } from "../../components/${file}-composition";
import type { ComponentSpec } from "../component-class";

/** Arguments of \`${kind}\`. */
export interface ${kind}Args {
${args.fields
  .map(([name, schema]) =>
    deciding.includes(name)
      ? `${docBlock(schema)}readonly ${name}: ${typescriptType(schema, "plain")};`
      : argument([name, schema], args.required.has(name)),
  )
  .join("\n")}
}

/** Outputs of \`${kind}\`. */
export interface ${kind}Outputs<Part> {
/** ${definition.memberDescription} */
readonly ${composition.member}: Readonly<Record<string, Part>>;
${computed.fields
  .map(
    ([name, field]) =>
      `${docBlock(field)}readonly ${name}: pulumi.Output<${typescriptType(field, "state")}>;`,
  )
  .join("\n")}
}

/** What a class of \`${kind}\` knows. */
export const ${specOf(kind)}: ComponentSpec = {
  kind: ${JSON.stringify(kind)},
  secretOutputs: ${JSON.stringify(fieldsMarked(outputs, "secret"))},
  composition: ${ownComposition},
};
`;
}

const componentDoc = ({ description, example }: ComponentDefinition) =>
  `/**
 * ${description}
 *
 * @example
${example.replace(/^/gm, " * ")}
 */`;

/** The source with the types of all classes, and what the classes know. */
export function classesModule(
  resources: readonly Defined<ResourceDefinition>[],
  components: readonly Defined<ComponentDefinition>[],
): string {
  const all = [...resources, ...components];
  const specs = (some: readonly Defined<{ readonly kind: string }>[]) =>
    some.map(({ definition }) => specOf(definition.kind)).join(", ");
  return `${HEADER}
${all.map(({ file, definition: { kind } }) => `import { ${specOf(kind)}, type ${kind}Args, type ${kind}Outputs } from "./${file}";`).join("\n")}
import type * as pulumi from "@pulumi/pulumi";
import type { ComponentClass, ComponentSpec } from "../component-class";
import type { ResourceClass, ResourceSpec } from "../resource-class";

${all.map(({ file }) => `export type * from "./${file}";`).join("\n")}

/** The classes of all kinds and components, by their names. */
export interface Classes {
${resources.map(({ definition: { kind } }) => `readonly ${kind}: ResourceClass<pulumi.CustomResource & ${kind}Outputs, ${kind}Args>;`).join("\n")}
${components.map(({ definition: { kind, composition } }) => `readonly ${kind}: ComponentClass<pulumi.ComponentResource & ${kind}Outputs<pulumi.CustomResource & ${composition.partKind}Outputs>, ${kind}Args>;`).join("\n")}
}

/** What the class of each kind knows. */
export const RESOURCE_SPECS: readonly ResourceSpec[] = [${specs(resources)}];

/** What the class of each component knows. */
export const COMPONENT_SPECS: readonly ComponentSpec[] = [${specs(components)}];
`;
}

/**
 * The source of the names that programs import, for the adapter of the same folder. Each
 * name must be written out: ES modules import it, editors show the comment above it, and
 * declarations of a program that exports a resource name its type.
 */
export function namesModule(
  resources: readonly ResourceDefinition[],
  components: readonly ComponentDefinition[],
  functions: readonly string[],
): string {
  const all = [...resources, ...components];
  const args = all.map(({ kind }) => `${kind}Args`);
  const name = (kind: string, base: "Resource" | "Component", parts = "") =>
    `export interface ${kind} extends pulumi.${base === "Resource" ? "Custom" : base}Resource, declared.${kind}Outputs${parts} {}
export const ${kind}: ${base}Class<${kind}, declared.${kind}Args> = classes.${kind};`;
  return `${HEADER}
import type * as pulumi from "@pulumi/pulumi";
import type * as declared from "../classes/classes";
import { classesOver } from "../classes/classes-over";
import type { ComponentClass } from "../component-class";
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

${resources.map(({ kind, description }) => `/** ${description} */\n${name(kind, "Resource")}`).join("\n")}
${components.map((one) => `${componentDoc(one)}\n${name(one.kind, "Component", `<${one.composition.partKind}>`)}`).join("\n")}

${functions.map((name) => `export const ${name}: Functions["${name}"] = functions.${name};`).join("\n")}
`;
}
