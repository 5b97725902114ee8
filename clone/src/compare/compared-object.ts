import type { z } from "zod";
import { defaultOf, fieldMeta } from "@devid/pulumi/definitions";
import { ENVIRONMENT, type CloneKind } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type WorkspaceObject,
} from "../read/workspace";

/** The name under which the environment with an ID is compared; undefined for no environment. */
export type TitleOf = (id: string | null | undefined) => string | undefined;

/** The compared fields of an object, JSON. */
export type ComparedFields = Readonly<Record<string, unknown>>;

/** The data of an object that is compared. */
export interface ComparedObject {
  readonly kind: string;
  readonly id: string;
  /** What reports call such an object: `API key`. */
  readonly what: string;
  /** Its name: objects of both sides with the same kind and name are compared with each other. */
  readonly name: string;
  /** The name of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
  readonly environmentInput: string | undefined;
  readonly fields: ComparedFields;
  /** The name of an environment in the service; absent if names are not compared. */
  readonly ownName?: string;
}

/**
 * All objects that are compared field by field: everything but filtering rules. The
 * default environment is not among them, because no program can declare it.
 */
export function comparedObjects(
  selection: Selection,
  titleOfEnvironment: TitleOf,
): ComparedObject[] {
  const { workspace, kinds } = selection;
  return kinds
    .filter(({ definition }) => !definition.clone?.ruleFile)
    .flatMap((kind) => {
      const { singular } = kind.definition;
      const all = objectsOf(workspace, kind);
      const outputs = all.map((object) => object.outputs);
      return all.map((object) => {
        const title = titleOf(workspace, kind, object);
        const place = titleOfEnvironment(
          environmentOf(workspace, kind, object),
        );
        const { environmentInput } = kind;
        const isEnvironment = kind.kind === ENVIRONMENT;
        const isPlace = kind.definition.onePerEnvironment !== undefined;
        return {
          kind: kind.kind,
          id: object.id,
          what:
            kind.definition.obstacle?.(object.outputs, outputs)?.what ??
            singular,
          name: isEnvironment
            ? (place ?? title)
            : isPlace
              ? `of ${place}`
              : title,
          environment: isEnvironment || isPlace ? undefined : place,
          environmentInput,
          fields: comparedFields(selection, kind, object),
          // If each side is a single environment, the names may differ.
          ...(isEnvironment && !selection.only && { ownName: title }),
        };
      });
    });
}

/**
 * The compared fields of an object: the inputs that the service has, and the
 * outputs marked `compared`. Its environment and its name are left out. Instead of
 * the IDs of other objects, the fields hold the names of those objects.
 */
export function comparedFields(
  { workspace, kinds }: Selection,
  { definition, environmentInput, references }: CloneKind,
  { outputs }: WorkspaceObject,
): ComparedFields {
  const { inputs, adoption } = definition;
  const fields = Object.entries(definition.outputs.shape) as [
    string,
    z.ZodType,
  ][];
  const compared = fields.flatMap(([name, field]) => {
    const { local, secret, comparedAs } = fieldMeta(field);
    const isInput =
      name in inputs.shape &&
      name !== environmentInput &&
      name !== adoption?.by;
    if (secret || local || (!isInput && comparedAs === undefined)) return [];
    const value = outputs[name] ?? comparedAs ?? defaultOf(field);
    const to = kinds.find(({ kind }) => kind === references.get(name));
    const found = to && objectsOf(workspace, to).find(({ id }) => id === value);
    return [[name, found ? titleOf(workspace, to, found) : value]];
  });
  return Object.fromEntries(compared) as ComparedFields;
}
