import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldMeta, fieldsMarked } from "../definition/field";
import { containsUnknown, UNKNOWN } from "../definition/value";
import type { DiffResponse, PropertyDiff } from "./requests";
import { defaultOf } from "./state";

type Values = Readonly<Record<string, unknown>>;

/** Compares a state with inputs, both normalised. An unknown value counts as changed. */
export function findDifference(
  definition: ResourceDefinition,
  id: string,
  state: Values,
  inputs: Values,
): DiffResponse {
  const changed = changedInputs(definition.inputs, state, inputs);
  const immutable = fieldsMarked(definition.inputs, "immutable");
  const replaces = changed.filter((name) => immutable.includes(name));
  const pending = pendingWork(definition, state, inputs);
  const changes = changed.length > 0 || pending !== undefined;
  const summary =
    changes && replaces.length === 0
      ? [
          describe(definition, state, inputs),
          pending && `${definition.kind} ${id}: ${pending}.`,
        ]
          .filter((line) => line !== undefined)
          .join("\n")
      : "";
  return {
    changes,
    properties: changed.flatMap((name) =>
      propertyDiffs(
        [name],
        lastValue(definition.inputs, name, state),
        inputs[name],
        replaces.includes(name),
      ),
    ),
    replaces,
    deleteBeforeReplace: definition.deleteBeforeReplace ?? false,
    ...(summary && { summary }),
  };
}

/** Names of the inputs that differ between a state and a program. An unknown value differs. */
export function changedInputs(
  inputs: z.ZodObject,
  state: Values,
  program: Values,
): string[] {
  return Object.keys(inputs.shape).filter((name) => {
    const { managedIfSet, momentary } = fieldMeta(fieldOf(inputs, name));
    if (momentary) return false;
    if (managedIfSet && program[name] === undefined) return false;
    return (
      containsUnknown(program[name]) ||
      !isDeepStrictEqual(lastValue(inputs, name, state), program[name])
    );
  });
}

/** The work that is left although no field differs; undefined while any input is unknown. */
export function pendingWork(
  definition: ResourceDefinition,
  state: Values,
  inputs: Values,
): string | undefined {
  return containsUnknown(inputs)
    ? undefined
    : definition.pending?.(state, inputs);
}

/** The value of an input in a state: the declared one, the one that the service chose, or the default. */
function lastValue(inputs: z.ZodObject, name: string, state: Values): unknown {
  const field = fieldOf(inputs, name);
  const { chosenAs = name } = fieldMeta(field);
  return state[name] ?? state[chosenAs] ?? defaultOf(field);
}

const fieldOf = (inputs: z.ZodObject, name: string) =>
  inputs.shape[name] as z.ZodType;

/** The paths at which two values differ. A list counts as one value. */
function propertyDiffs(
  path: readonly string[],
  was: unknown,
  is: unknown,
  replaces: boolean,
): PropertyDiff[] {
  if (isDeepStrictEqual(was, is)) return [];
  if (isRecord(was) && isRecord(is))
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(
      (key) => propertyDiffs([...path, key], was[key], is[key], replaces),
    );
  const kind =
    was === undefined ? "add" : is === undefined ? "delete" : "update";
  return [{ path: z.core.toDotPath(path), kind, replaces }];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  value !== UNKNOWN &&
  !Array.isArray(value);

/** The description of an update. An error in it must not fail the preview. */
function describe(
  definition: ResourceDefinition,
  ...update: Parameters<NonNullable<ResourceDefinition["describeUpdate"]>>
): string | undefined {
  try {
    return definition.describeUpdate?.(...update);
  } catch {
    return undefined;
  }
}
