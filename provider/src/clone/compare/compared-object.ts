import type { z } from "zod";
import { fieldMeta } from "../../definition/field";
import { defaultOf } from "../../lifecycle/state";
import { ENVIRONMENT, type CloneKind } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type WorkspaceObject,
} from "../read/workspace";

/** What the environment of an ID is called where workspaces are compared; nothing for no environment. */
export type TitleOf = (id: string | null | undefined) => string | undefined;

/** Fields by which an object is compared: JSON. */
export type ComparedFields = Readonly<Record<string, unknown>>;

/** An object as far as it is compared. */
export interface ComparedObject {
  readonly kind: string;
  /** What it is, in words: `API key`. */
  readonly what: string;
  /** What tells it from others of its kind: objects of one name may be the same. */
  readonly name: string;
  /** What its environment is called; absent for one of the whole workspace. */
  readonly environment?: string;
  /** The input by which it refers to its environment. */
  readonly environmentInput: string | undefined;
  readonly fields: ComparedFields;
}

/**
 * Everything that is compared but rules. The default environment itself is not,
 * for nobody can declare it.
 */
export function comparedObjects(
  selection: Selection,
  titleOfEnvironment: TitleOf,
): ComparedObject[] {
  const { workspace, kinds } = selection;
  return kinds
    .filter(({ definition }) => !definition.clone?.ruleFile)
    .flatMap((kind) => {
      const { singular, clone } = kind.definition;
      const all = objectsOf(workspace, kind);
      const outputs = all.map((object) => object.outputs);
      return all.map((object) => {
        const title = titleOf(workspace, kind, object);
        const place = titleOfEnvironment(
          environmentOf(workspace, kind, object),
        );
        const { environmentInput } = kind;
        const isEnvironment = kind.kind === ENVIRONMENT;
        const isPlace = clone?.onePerEnvironment !== undefined;
        return {
          kind: kind.kind,
          what: clone?.obstacle?.(object.outputs, outputs)?.what ?? singular,
          name: isEnvironment
            ? (place ?? title)
            : isPlace
              ? `of ${place}`
              : title,
          environment: isEnvironment || isPlace ? undefined : place,
          environmentInput,
          fields: comparedFields(selection, kind, object),
        };
      });
    });
}

/**
 * The fields of an object that make a difference: inputs that the service
 * knows, and outputs that are marked so. Its environment and what it is told by
 * are not among them; other objects that it refers to are, by their titles.
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
