import { changedInputs } from "./changed-inputs";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import { containsUnknown } from "./unknown";

type Properties = Readonly<Record<string, unknown>>;

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
  id: string,
  state: Properties,
  inputs: Properties,
): Difference {
  const changed = changedInputs(definition.inputs, state, inputs);
  const immutable = fieldsMarked(definition.inputs, "immutable");
  const replaces = changed.filter((name) => immutable.includes(name));
  const pending = containsUnknown(inputs)
    ? undefined
    : definition.pending?.(state, inputs);
  const changes = changed.length > 0 || pending !== undefined;
  if (!changes || replaces.length > 0) return { changes, replaces };
  const lines = [
    describe(definition, state, inputs),
    pending && `${definition.kind} ${id}: ${pending}.`,
  ].filter((line) => line !== undefined);
  const summary = lines.length > 0 ? lines.join("\n") : undefined;
  return { changes, replaces, ...(summary !== undefined && { summary }) };
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
