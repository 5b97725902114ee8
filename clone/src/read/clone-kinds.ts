import { z } from "zod";
import {
  fieldMeta,
  fieldsMarked,
  type ResourceDefinition,
  registry,
} from "@devid/pulumi/definitions";

/**
 * The data of a kind for the export and the comparison, derived from its definition.
 */
export interface CloneKind {
  /** `ApiKey` */
  readonly kind: string;
  readonly definition: ResourceDefinition;
  /** What reports call several such objects: `API keys`. */
  readonly plural: string;
  /** What the service lists for this kind: `filtering rules` for rule sets, else as `plural`. */
  readonly listed: string;
  /** The file of a written program that declares them, without its extension: `api-keys`. */
  readonly file: string;
  /** The name under which other files of the program import that file: `apiKeys`. */
  readonly alias: string;
  /** The kind on the command line: `api-keys`. */
  readonly spelling: string;
  /** The inputs that hold the ID of another object, with the kind of that object. */
  readonly references: ReadonlyMap<string, string>;
  /** For a kind that is part of objects of another kind: that kind, and the input with the ID of the object. */
  readonly partOf?: { readonly kind: CloneKind; readonly input: string };
  /** The input that holds the ID of the environment. */
  readonly environmentInput: string | undefined;
  /** The fields that are compared: the inputs that the service has, and the outputs marked `compared`. */
  readonly compared: z.ZodObject;
  /** The secret outputs that programs read: `token`. */
  readonly credentials: readonly string[];
}

/** The kind that the other kinds belong to. */
export const ENVIRONMENT = "Environment";

/** The folder of rule files in a written program, and the command line's word for rule sets. */
export const RULES = "rules";

/**
 * All kinds of the registry, in the order of a program. A kind comes after the kinds that
 * it refers to. Kinds that get their names from their environment come last.
 */
export const KINDS = inOrder(
  Object.values<ResourceDefinition>(registry).map(cloneKind),
);

/** The kind of this name: `ApiKey`. */
export const kindNamed = (name: string | undefined): CloneKind | undefined =>
  KINDS.find(({ kind }) => kind === name);

/** All kinds, as the command line spells them. */
export const CLONE_KINDS: readonly string[] = KINDS.map(
  ({ spelling }) => spelling,
);

function inOrder(plain: readonly CloneKind[]): readonly CloneKind[] {
  const kinds = plain.map((kind): CloneKind => {
    const { isPartOf } = kind.definition;
    const whole = plain.find((one) => one.kind === isPartOf);
    const [input] =
      [...kind.references].find(([, to]) => to === isPartOf) ?? [];
    return whole && input !== undefined
      ? { ...kind, partOf: { kind: whole, input } }
      : kind;
  });
  const isLate = ({ definition }: CloneKind) =>
    Number(definition.onePerEnvironment !== undefined);
  const ordered = new Set<CloneKind>();
  const visited = new Set<CloneKind>();
  const visit = (kind: CloneKind) => {
    if (visited.has(kind)) return;
    visited.add(kind);
    for (const other of kinds)
      if ([...kind.references.values()].includes(other.kind)) visit(other);
    ordered.add(kind);
  };
  kinds.toSorted((a, b) => isLate(a) - isLate(b)).forEach(visit);
  return [...ordered];
}

function cloneKind(definition: ResourceDefinition): CloneKind {
  const { kind, singular, inputs, outputs, clone } = definition;
  const fields = Object.entries(inputs.shape) as [string, z.ZodType][];
  const references = new Map(
    fields.flatMap(([name, field]) => {
      const to = fieldMeta(field).references;
      return to === undefined ? [] : [[name, to] as const];
    }),
  );
  const compared = Object.entries(outputs.shape).filter(([name, field]) => {
    const { local, secret, comparedAs } = fieldMeta(field as z.ZodType);
    const isCompared = name in inputs.shape || comparedAs !== undefined;
    return isCompared && !local && !secret;
  });
  const plural = pluralOf(singular);
  const file = plural.toLowerCase().replaceAll(" ", "-");
  return {
    kind,
    definition,
    plural,
    listed: clone?.ruleFile ? "filtering rules" : plural,
    file,
    alias: file.replace(/-(.)/g, (_, first: string) => first.toUpperCase()),
    spelling: clone?.ruleFile ? RULES : file,
    references,
    environmentInput: [...references].find(([, to]) => to === ENVIRONMENT)?.[0],
    compared: z.object(Object.fromEntries(compared)),
    credentials: fieldsMarked(outputs, "secret").filter(
      (name) => fieldMeta(outputs.shape[name] as z.ZodType).absence,
    ),
  };
}

function pluralOf(singular: string): string {
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, "ies");
  return /(?:s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}
