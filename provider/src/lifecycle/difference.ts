import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldMeta, fieldsMarked } from "../definition/field";
import { containsUnknown, UNKNOWN } from "../definition/value";
import type { DiffResponse, PropertyDiff } from "./requests";
import { defaultOf } from "./state";

type Values = Readonly<Record<string, unknown>>;

/** Compares a state and inputs, both normalised. An unknown value is a change. */
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

/** Names of the inputs in which a program differs from a state. An unknown value differs. */
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

/** The work there is although no field differs; none is known of while a value is unknown. */
export function pendingWork(
  definition: ResourceDefinition,
  state: Values,
  inputs: Values,
): string | undefined {
  return containsUnknown(inputs)
    ? undefined
    : definition.pending?.(state, inputs);
}

/** What a state has for an input: itself, what the service chose for it, or its default. */
function lastValue(inputs: z.ZodObject, name: string, state: Values): unknown {
  const field = fieldOf(inputs, name);
  const { chosenAs = name } = fieldMeta(field);
  return state[name] ?? state[chosenAs] ?? defaultOf(field);
}

const fieldOf = (inputs: z.ZodObject, name: string) =>
  inputs.shape[name] as z.ZodType;

/** The paths at which two values differ; a list is one value. */
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

/** What stands beside a preview must not fail it. */
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
