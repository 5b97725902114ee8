import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { ResourceDefinition } from "./define-resource";
import { fieldMeta } from "./field";
import { containsUnknown } from "./unknown";

/** What differs between state and program. */
export interface Difference {
  readonly changes: boolean;
  /** Immutable fields that differ: the resource is replaced. */
  readonly replaces: string[];
  /** What an update in place does, in the resource's own words. */
  readonly summary?: string;
}

/** Compares a state and inputs, both normalised. An unknown value is a change. */
export function findDifference(
  definition: ResourceDefinition,
  state: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, unknown>>,
): Difference {
  const changed = Object.entries(definition.inputs.shape).filter(
    ([name, field]) => {
      const { managedIfSet, chosenAs = name } = fieldMeta(field as z.ZodType);
      if (managedIfSet && inputs[name] === undefined) return false;
      const was =
        state[name] ?? state[chosenAs] ?? defaultOf(field as z.ZodType);
      return (
        containsUnknown(inputs[name]) || !isDeepStrictEqual(was, inputs[name])
      );
    },
  );
  const replaces = changed
    .filter(([, field]) => fieldMeta(field as z.ZodType).immutable)
    .map(([name]) => name);
  const changes =
    changed.length > 0 || (definition.isPending?.(state, inputs) ?? false);
  const isUpdate = changes && replaces.length === 0;
  return {
    changes,
    replaces,
    ...(isUpdate && { summary: describe(definition, state, inputs) }),
  };
}

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

/** The default of a field, `undefined` where it has none. */
function defaultOf(field: z.ZodType): unknown {
  const parsed = field.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}
