import { fieldValue, type Values } from "@devid/pulumi/definitions";
import {
  ENVIRONMENT,
  kindNamed,
  KINDS,
  type CloneKind,
} from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type WorkspaceObject,
} from "../read/workspace";

/** The name under which the environment with an ID is compared; undefined for no environment. */
export type TitleOf = (id: string | null | undefined) => string | undefined;

/** An object that is compared. */
export interface ComparedObject {
  readonly kind: CloneKind;
  readonly id: string;
  /** What reports call such an object: `API key`. */
  readonly what: string;
  /** The name by which objects of both sides are paired. */
  readonly name: string;
  /** The name of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
  /** The values of the compared fields. Names of objects stand for their IDs. */
  readonly values: Values;
}

/**
 * All objects that are compared field by field: everything but filtering rules. The
 * default environment is not among them, because no program can declare it.
 */
export function comparedObjects(
  selection: Selection,
  titleOfEnvironment: TitleOf,
): ComparedObject[] {
  const { workspace, only } = selection;
  return KINDS.filter(({ definition }) => !definition.clone?.ruleFile).flatMap(
    (kind) => {
      const { definition, environmentInput } = kind;
      const all = objectsOf(workspace, kind);
      const outputs = all.map((object) => object.outputs);
      return all.map((object): ComparedObject => {
        const place = titleOfEnvironment(
          environmentOf(workspace, kind, object),
        );
        const isEnvironment = kind.kind === ENVIRONMENT;
        const isPlace = definition.onePerEnvironment !== undefined;
        const obstacle = definition.obstacle?.(object.outputs, outputs);
        const { name, ...others } = comparedValues(selection, kind, object);
        return {
          kind,
          id: object.id,
          what: obstacle?.what ?? definition.singular,
          name: isPlace
            ? `of ${place}`
            : ((isEnvironment ? place : undefined) ??
              titleOf(workspace, kind, object)),
          environment: isEnvironment || isPlace ? undefined : place,
          values: {
            // An environment that was chosen alone may have another name.
            ...(!(isEnvironment && only) && { name }),
            ...others,
            ...(environmentInput !== undefined && {
              [environmentInput]: place,
            }),
          },
        };
      });
    },
  );
}

/**
 * The values of an object's compared fields, without its environment. Names of objects
 * stand for their IDs.
 */
export function comparedValues(
  { workspace }: Selection,
  { compared, environmentInput, references }: CloneKind,
  { outputs }: WorkspaceObject,
): Values {
  return Object.fromEntries(
    Object.keys(compared.shape)
      .filter((name) => name !== environmentInput)
      .map((name) => {
        const value = fieldValue(compared, name, outputs);
        const to = kindNamed(references.get(name));
        const found =
          to && objectsOf(workspace, to).find(({ id }) => id === value);
        return [name, found ? titleOf(workspace, to, found) : value];
      }),
  );
}
