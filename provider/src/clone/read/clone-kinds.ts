import type { z } from "zod";
import type { ResourceDefinition } from "../../definition/define-resource";
import { fieldMeta } from "../../definition/field";
import * as registry from "../../registry";

/** A kind of object as it is exported and compared: all of it comes from its definition. */
export interface CloneKind {
  /** `ApiKey` */
  readonly kind: string;
  readonly definition: ResourceDefinition;
  /** Several of them, in words: `API keys`. */
  readonly plural: string;
  /** The file of a written program that declares them, without its ending: `api-keys`. */
  readonly file: string;
  /** What other files of the program import that file as: `apiKeys`. */
  readonly alias: string;
  /** As the command line spells it: `api-keys`. */
  readonly spelling: string;
  /** Inputs that hold the ID of another object, with its kind. */
  readonly references: ReadonlyMap<string, string>;
  /** The one of them that holds the ID of an environment. */
  readonly environmentInput: string | undefined;
}

/** Definitions by their kinds, as the registry has them. */
export type Definitions = Readonly<Record<string, ResourceDefinition>>;

/** The kind that others belong to, and that every workspace has one of from the start. */
export const ENVIRONMENT = "Environment";

/** Folder of rule files in a program, and the command line's word for what is in them. */
export const RULES = "rules";

/**
 * The kinds of these definitions in the order in which a program declares them:
 * what others refer to comes before them, and what goes by its environment's
 * name comes last.
 */
export function cloneKinds(
  definitions: Definitions = registry,
): readonly CloneKind[] {
  const kinds = Object.values(definitions).map(cloneKind);
  const isLate = ({ definition }: CloneKind) =>
    Number(definition.clone?.onePerEnvironment !== undefined);
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

/** Every kind of the registry, in that order. */
export const KINDS = cloneKinds();

/** Kinds of object that can be chosen, as the command line spells them. */
export const CLONE_KINDS: readonly string[] = KINDS.map(
  ({ spelling }) => spelling,
);

function cloneKind(definition: ResourceDefinition): CloneKind {
  const { kind, singular, inputs, clone } = definition;
  const fields = Object.entries(inputs.shape) as [string, z.ZodType][];
  const references = new Map(
    fields.flatMap(([name, field]) => {
      const to = fieldMeta(field).references;
      return to === undefined ? [] : [[name, to] as const];
    }),
  );
  const plural = pluralOf(singular);
  const file = plural.toLowerCase().replaceAll(" ", "-");
  return {
    kind,
    definition,
    plural,
    file,
    alias: file.replace(/-(.)/g, (_, first: string) => first.toUpperCase()),
    spelling: clone?.ruleFile ? RULES : file,
    references,
    environmentInput: [...references].find(([, to]) => to === ENVIRONMENT)?.[0],
  };
}

function pluralOf(singular: string): string {
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, "ies");
  return /(?:s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}
